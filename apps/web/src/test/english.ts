import { i18n } from '@lingui/core'

// English is in the code, so its catalogue is empty.
i18n.load('en', {})
i18n.activate('en')
