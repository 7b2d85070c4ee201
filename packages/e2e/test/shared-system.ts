import { afterAll, beforeAll } from "vitest";
import { createWorkspace, type DemoSystem, type DemoSystemOptions, type OtherWorkspace } from "../src/index.ts";
import { startTestSystem } from "./test-system.ts";

/** One system for the topics of a test file, so that not each of them starts its own. */
export interface SharedSystem {
  /** Runs in hooks and tests. */
  readonly demo: DemoSystem;
  /** A workspace of a topic's own, so that it does not see what others left. Its client ends with the system. */
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
