import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'

/** The outermost skipped suite that a skipped test stands in, else the test itself: that is where the reason is written. */
function skippedPlace(test: TestCase): TestCase | TestSuite {
  let place: TestCase | TestSuite = test
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) if (parent.options.mode === 'skip') place = parent
  return place
}

/** Says by name what did not run. Names of skipped tests hold what would be needed: "… (needs the shared corpus)". */
export const skippedTestsReporter: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const counts = new Map<string, number>()
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const name = `${module.relativeModuleId} › ${skippedPlace(test).fullName}`
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
    }
    if (counts.size === 0) return
    console.log('\n Skipped:')
    for (const [name, count] of counts) console.log(`  ↓ ${name}${count > 1 ? ` (${count} tests)` : ''}`)
  },
}
