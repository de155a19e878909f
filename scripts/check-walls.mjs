/**
 * Checks the walls between the folders (.dependency-cruiser.mjs). The parser's own visitor skips `using` declarations;
 * here it visits them like any other declaration.
 */
import { createRequire } from 'node:module'

const { Visitor } = createRequire(import.meta.url)('@swc/core/Visitor.js')
const { visitStatement } = Visitor.prototype

Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement)
  for (const declarator of statement.decls) this.visitVariableDeclarator(declarator)
  return statement
}

const { cruise } = await import('dependency-cruiser')
const { default: rules } = await import('../.dependency-cruiser.mjs')
const folders = [
  'src',
  'demo',
  'testing',
  'acceptance',
  'trials',
  'stand-ins',
  'web/src',
  'web/docs',
  'packages',
]
const { output } = await cruise(folders, {
  ...rules.options,
  validate: true,
  ruleSet: { forbidden: rules.forbidden },
  outputType: 'json',
})
const { violations, totalCruised } = JSON.parse(output).summary
for (const { rule, from, to } of violations)
  process.stderr.write(`${from} may not import ${to} (${rule.name})\n`)
if (violations.length > 0) process.exit(1)
process.stdout.write(`The walls hold: ${totalCruised} modules.\n`)
