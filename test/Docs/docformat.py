"""The lit format that makes one test of every page of the documentation."""

import os
import subprocess
import sys

import lit.Test
from lit.formats import ShTest


class DocPages(ShTest):
    """Tests of test/Docs: its .test files, and every page there is."""

    def __init__(self, source, build):
        super().__init__(execute_external=False)
        self.source, self.build = source, build

    def pages(self):
        """Name of the test -> page: README, docs/, and what TableGen made."""
        found = {"README.md": os.path.join(self.source, "README.md")}
        for folder, prefix in ((self.source, ""), (self.build, "generated-")):
            docs = os.path.join(folder, "docs")
            for here, inside, names in os.walk(docs):
                inside.sort()
                for name in sorted(names):
                    page = os.path.join(here, name)
                    if name.endswith(".md"):
                        key = os.path.relpath(page, docs).replace(os.sep, "-")
                        found[prefix + key] = page
        return found

    def getTestsInDirectory(self, testSuite, path_in_suite, litConfig, localConfig):
        yield from super().getTestsInDirectory(
            testSuite, path_in_suite, litConfig, localConfig
        )
        # Once, and not again for each folder below.
        if path_in_suite[-1:] != ("Docs",):
            return
        for name in self.pages():
            yield lit.Test.Test(testSuite, path_in_suite + (name,), localConfig)

    def execute(self, test, litConfig):
        page = self.pages().get(test.path_in_suite[-1])
        if page is None:
            return super().execute(test, litConfig)
        runner = os.path.join(os.path.dirname(os.path.abspath(__file__)), "docexamples.py")
        done = subprocess.run(
            [sys.executable, runner, "--source", self.source, "--build", self.build, page],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=test.config.environment,
        )  # fmt: skip
        if done.returncode:
            return lit.Test.FAIL, done.stdout
        return lit.Test.PASS, ""
