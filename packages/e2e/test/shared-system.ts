import { sharedByFile } from "@canvass/testing/shared-by-file";
import { createWorkspace, type DemoSystem, type DemoSystemOptions, type OtherWorkspace } from "../src/index.ts";
import { startTestSystem } from "./test-system.ts";

/** One system for all topics of a test file, so that they need not start their own. */
export interface SharedSystem {
  readonly demo: DemoSystem;
  /** Creates a workspace for one topic, which sees no data of other topics. Its client closes with the system. */
  newWorkspace: () => Promise<OtherWorkspace>;
}

/** Starts the system before the tests of the calling file, and stops it after them. */
export async function shareSystem(options?: DemoSystemOptions): Promise<SharedSystem> {
  const demo = await sharedByFile(startTestSystem(options));
  const workspaces = await sharedByFile(Promise.resolve(new AsyncDisposableStack()));
  return { demo, newWorkspace: async () => workspaces.use(await createWorkspace(demo.system)) };
}
