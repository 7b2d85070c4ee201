import { afterAll, beforeAll } from "vitest";
import { createWorkspace, type DemoSystem, type DemoSystemOptions, type OtherWorkspace } from "../src/index.ts";
import { startTestSystem } from "./test-system.ts";

/** One system for all topics of a test file, so that they need not start their own. */
export interface SharedSystem {
  /** Available only in hooks and tests. */
  readonly demo: DemoSystem;
  /**
   * Creates a workspace for one topic, so that it does not see other topics' data. Its client closes with the system.
   */
  newWorkspace: () => Promise<OtherWorkspace>;
}

/** Starts the system before the tests of the calling file, and stops it after them. */
export function shareSystem(options?: DemoSystemOptions): SharedSystem {
  const running = new AsyncDisposableStack();
  let demo: DemoSystem;
  beforeAll(async () => {
    demo = running.use(await startTestSystem(options));
  });
  afterAll(() => running.disposeAsync());
  return {
    get demo() {
      return demo;
    },
    newWorkspace: async () => running.use(await createWorkspace(demo.system)),
  };
}
