import { join } from 'node:path'
import { types as ast, type NodePath, type PluginObj, transformAsync } from '@babel/core'
import macro from '@lingui/babel-plugin-lingui-macro'
import { getConfig } from '@lingui/conf'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const USES_MACRO = /from ['"]@lingui\/(?:core|react)\/macro['"]/

/** An ICU message as tokens from Lingui's own compiler, always as a list. */
function tokens(message: string): ast.ArrayExpression {
  const compiled: unknown = compileMessage(message)
  return ast.arrayExpression(
    (Array.isArray(compiled) ? compiled : [compiled]).map((token) => ast.valueToNode(token)),
  )
}

/**
 * Compiles messages in place. Each chunk then contains its own English, so the client loads no English catalogue and no message compiler.
 * Every other language has its own catalogue.
 */
function compileInPlace(): PluginObj {
  const visitor = {
    ObjectExpression({ node }: NodePath<ast.ObjectExpression>) {
      const marked = node.leadingComments?.some(({ value }) => value.trim() === 'i18n') ?? false
      if (!marked) return
      for (const property of node.properties) {
        if (!ast.isObjectProperty(property) || !ast.isIdentifier(property.key, { name: 'message' })) continue
        if (ast.isStringLiteral(property.value)) property.value = tokens(property.value.value)
        else if (ast.isTemplateLiteral(property.value) && property.value.quasis.length === 1) {
          property.value = tokens(property.value.quasis[0]?.value.cooked ?? '')
        }
      }
    },
  }
  return {
    name: 'keyhole-compile-messages',
    visitor: { Program: { exit: (program) => program.traverse(visitor) } },
  }
}

/** Turns Lingui's macros into calls, with the English text compiled into the code. */
export function messages(): Plugin {
  const linguiConfig = getConfig({ configPath: join(import.meta.dirname, '../lingui.config.ts') })
  return {
    name: 'keyhole:messages',
    enforce: 'pre',
    async transform(code, id) {
      const [file = ''] = id.split('?')
      if (!/\.tsx?$/.test(file) || file.includes('.test.') || !USES_MACRO.test(code)) return undefined
      const result = await transformAsync(code, {
        filename: file,
        configFile: false,
        babelrc: false,
        sourceMaps: true,
        parserOpts: { plugins: file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
        plugins: [[macro, { stripMessageField: false, linguiConfig }], compileInPlace],
      })
      return result?.code ? { code: result.code, map: JSON.stringify(result.map) } : undefined
    },
  }
}
