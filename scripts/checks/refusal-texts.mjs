// Finds where a program compares an error's text. Sentences are for people and may change at any time; programs compare the error's code,
// name and reason.
import { parseSync } from 'vite'

const COMPARES = new Set(['===', '!==', '==', '!='])
/** Methods of a text that search in it. */
const LOOKS_IN = new Set([
  'includes',
  'startsWith',
  'endsWith',
  'match',
  'matchAll',
  'search',
  'indexOf',
  'localeCompare',
])
/** Methods of something else that search for a text. */
const LOOKS_FOR = new Set(['test', 'exec', 'has', 'get', 'includes', 'indexOf'])
/** Functions that return an error's text, apart from reading its `message`. */
const READS = new Set(['reasonOf', 'errorText'])

/** A test may look for the text of an error that it created. @param {string} path */
const isTest = (path) => /\.(?:test|spec)\.tsx?$/.test(path)

/** @typedef {Record<string, any>} Node */

/** @param {unknown} value @returns {value is Node} */
const isNode = (value) => typeof value === 'object' && value !== null

/** Visits a node of a syntax tree, and all below it. @param {unknown} node @param {(node: Node) => void} visit */
export function walk(node, visit) {
  if (Array.isArray(node)) for (const each of node) walk(each, visit)
  else if (isNode(node)) {
    visit(node)
    for (const each of Object.values(node)) if (isNode(each)) walk(each, visit)
  }
}

/** @param {Node | undefined} node @returns {Node | undefined} without the wrappers of TypeScript and `?.` */
function bare(node) {
  const inner = [
    'ChainExpression',
    'ParenthesizedExpression',
    'TSAsExpression',
    'TSNonNullExpression',
    'AwaitExpression',
  ]
  return node && inner.includes(node.type) ? bare(node.expression ?? node.argument) : node
}

/** @param {Node | undefined} node @returns {string | undefined} the field that a member expression reads */
function fieldOf(node) {
  if (node?.type !== 'MemberExpression') return undefined
  return node.computed
    ? node.property.type === 'Literal'
      ? node.property.value
      : undefined
    : node.property.name
}

/** @param {Node | undefined} node */
const isText = (node) =>
  (node?.type === 'Literal' && typeof node.value === 'string' && node.value !== '') ||
  node?.type === 'TemplateLiteral'

/** @param {Node | undefined} node whether it means "nothing", and so doesn't compare a text */
const isNothing = (node) =>
  (node?.type === 'Literal' && (node.value === '' || node.value === null)) ||
  (node?.type === 'Identifier' && node.name === 'undefined')

/** The names of errors that were caught or passed on. @param {Node | undefined} node */
const isError = (node) =>
  node?.type === 'Identifier' && /^(e|err|error|cause|thrown|refusal|failure)$/.test(node.name)

/** @param {Node} program @returns {(node: Node | undefined) => boolean} whether an expression is an error's text */
function textsOf(program) {
  /** Variables that hold an error's text. @type {Set<string>} */
  const held = new Set()
  /** @param {Node | undefined} given @returns {boolean} */
  const isErrorText = (given) => {
    const node = bare(given)
    if (!node) return false
    switch (node.type) {
      case 'Identifier':
        return held.has(node.name)
      case 'MemberExpression':
        return (
          fieldOf(node) === 'message' ||
          (fieldOf(node) === 'reason' && fieldOf(bare(node.object)) === 'details')
        )
      case 'CallExpression': {
        const callee = bare(node.callee)
        if (callee?.type === 'Identifier') {
          return READS.has(callee.name) || (callee.name === 'String' && isError(bare(node.arguments[0])))
        }
        const of = bare(callee?.object)
        // A converted text is still one: `error.message.toLowerCase()`.
        return fieldOf(callee) === 'toString'
          ? isError(of)
          : !LOOKS_IN.has(fieldOf(callee) ?? '') && isErrorText(of)
      }
      case 'TemplateLiteral':
        return node.expressions.some((/** @type {Node} */ each) => isError(bare(each)) || isErrorText(each))
      case 'LogicalExpression':
        return isErrorText(node.left) || isErrorText(node.right)
      case 'ConditionalExpression':
        return isErrorText(node.consequent) || isErrorText(node.alternate)
      default:
        return false
    }
  }
  walk(program, (node) => {
    if (node.type !== 'VariableDeclarator' && node.type !== 'CatchClause') return
    const pattern = node.id ?? node.param
    if (node.init && pattern?.type === 'Identifier' && isErrorText(node.init)) held.add(pattern.name)
    // From a catch, or from something named like an error: `const { message } = error`.
    const from = bare(node.init)
    if (
      pattern?.type !== 'ObjectPattern' ||
      !(node.type === 'CatchClause' || isError(from) || fieldOf(from) === 'error')
    )
      return
    for (const property of pattern.properties) {
      if (property.key?.name === 'message' && property.value.type === 'Identifier')
        held.add(property.value.name)
    }
  })
  return isErrorText
}

/** @param {Node} program @returns {Set<string>} the texts of errors that a file creates */
function ownTexts(program) {
  const own = new Set()
  walk(program, (node) => {
    if (node.type !== 'NewExpression' || !/(Error|Exception)$/.test(node.callee.name ?? '')) return
    for (const argument of node.arguments) if (argument.type === 'Literal') own.add(argument.value)
  })
  return own
}

/**
 * Where a TypeScript or JavaScript file compares an error's text.
 * @param {string} path @param {string} text
 * @returns {number[]} the lines, from 1
 */
export function comparedTexts(path, text) {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`)
  const isErrorText = textsOf(program)
  const own = isTest(path) ? ownTexts(program) : new Set()
  const isOwn = (/** @type {Node | undefined} */ node) => node?.type === 'Literal' && own.has(node.value)
  /** @type {Set<number>} */
  const found = new Set()
  walk(program, (node) => {
    if (compares(node, isErrorText, isOwn)) {
      found.add(text.slice(0, node.start).split('\n').length)
    }
  })
  return [...found].sort((a, b) => a - b)
}

/**
 * @param {Node} node @param {(node: Node | undefined) => boolean} isErrorText @param {(node: Node | undefined) => boolean} isOwn
 * @returns {boolean}
 */
function compares(node, isErrorText, isOwn) {
  switch (node.type) {
    case 'BinaryExpression': {
      if (!COMPARES.has(node.operator)) return false
      const sides = [bare(node.left), bare(node.right)]
      if (sides.some(isNothing) || sides.some(isOwn)) return false
      // Compared with a text, `.error` is the enclave's sentence.
      return (
        sides.some(isErrorText) || (sides.some((side) => fieldOf(side) === 'error') && sides.some(isText))
      )
    }
    case 'SwitchStatement':
      return isErrorText(node.discriminant)
    case 'MemberExpression':
      return node.computed && isErrorText(node.property)
    case 'CallExpression': {
      const callee = bare(node.callee)
      const name = fieldOf(callee) ?? ''
      const of = callee?.object
      if (LOOKS_IN.has(name) && (isErrorText(of) || fieldOf(bare(of)) === 'error'))
        return !isOwn(node.arguments[0])
      return LOOKS_FOR.has(name) && node.arguments.some(isErrorText)
    }
    default:
      return false
  }
}

const RUST = [
  /\b(?:message|to_string\(\))(?:\.as_str\(\))?\s*(?:==|!=)\s*[&"]/,
  /\b(?:error|err|refusal|refused|failure)\b[\w.()?]*\.(?:message|to_string\(\))(?:\.as_str\(\))?\.(?:contains|starts_with|ends_with|find|eq|matches)\(/,
  /\bmatch\s+&?[\w.()]*\b(?:error|err|refusal)\b[\w.()]*\.(?:message|to_string\(\))/,
  /\[\s*"(?:error|message)"\s*\][\w.()?]*\s*(?:==|\.(?:contains|starts_with|ends_with)\()/,
]

/**
 * Where a Rust file compares an error's text, outside its tests.
 * @param {string} text
 * @returns {number[]} the lines, from 1
 */
export function comparedInRust(text) {
  const program = text.split(/^#\[cfg\(test\)\]\s*\nmod /m)[0] ?? ''
  return program
    .split('\n')
    .flatMap((line, index) =>
      !line.trim().startsWith('//') && RUST.some((each) => each.test(line)) ? [index + 1] : [],
    )
}
