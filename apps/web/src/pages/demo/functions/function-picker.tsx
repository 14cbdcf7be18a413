import { useLingui } from '@lingui/react/macro'
import { cx } from '../../../shared/ui/cx.ts'
import { Choice } from '../../../shared/ui/fields/choice.tsx'
import type { PluginFunction } from './function.ts'
import { FUNCTIONS, GROUPS } from './index.ts'

interface FunctionPickerProps {
  chosen: PluginFunction
  onChoose: (name: PluginFunction['name']) => void
}

/** All functions by group, or in one list if there is little room. */
export function FunctionPicker({ chosen, onChoose }: FunctionPickerProps) {
  const { t, i18n } = useLingui()
  return (
    <>
      <div className="lg:hidden">
        <Choice
          label={t`Function`}
          options={FUNCTIONS.map(({ name, note }) => ({ value: name, label: name, note: i18n._(note) }))}
          value={chosen.name}
          onValueChange={onChoose}
        />
      </div>
      <nav
        aria-label={t`Functions`}
        className="hidden max-h-[43rem] flex-col gap-4 overflow-y-auto border-line border-r border-b pr-4 lg:flex"
      >
        {GROUPS.map((group) => (
          <section key={group.id} aria-labelledby={`functions-${group.id}`}>
            <h3 id={`functions-${group.id}`} className="mb-1 px-2 font-medium text-ink-faint text-xs">
              {i18n._(group.name)}
            </h3>
            <ul>
              {group.functions.map(({ name }) => (
                <li key={name}>
                  <button
                    type="button"
                    aria-current={name === chosen.name ? 'true' : undefined}
                    onClick={() => onChoose(name)}
                    className={cx(
                      'min-h-8 w-full rounded-lg px-2 py-1 text-left font-mono text-[0.8125rem] focus-visible:-outline-offset-2',
                      name === chosen.name
                        ? 'bg-ink text-ink-inverse'
                        : 'text-ink-soft hover:bg-sunken hover:text-ink',
                    )}
                  >
                    {name}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </>
  )
}
