"""axe-core, and how the tests run it."""

from importlib.metadata import distribution

# Read as a file: the package's own code drives another kind of browser.
AXE = next(file for file in distribution("axe-playwright-python").files if file.name == "axe.min.js").read_text()

# Everything that axe-core knows of WCAG 2.2 AA, and its best practices.
CHECK = """
    const done = arguments[arguments.length - 1];
    axe.run(document, { resultTypes: ['violations'], runOnly: [
        'wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice',
    ] }).then(({ violations }) => done(violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`))), (error) => done([String(error)]));
"""
