import { expect, test } from "vitest";
import { createWaitingLanes } from "./waiting-lanes.ts";

const lane = (workspaceId: string, name: string, wants = 1) => ({ workspaceId, name, wants });
type Lane = ReturnType<typeof lane>;

function serveAll(lanes: readonly Lane[], mayBegin: (lane: Lane) => boolean = () => true): string {
  const waiting = createWaitingLanes<Lane>();
  for (const each of lanes) waiting.add(each);
  const begun: Lane[] = [];
  const load = (workspaceId: string) => begun.filter((each) => each.workspaceId === workspaceId).length;
  waiting.serve(load, (each) => {
    if (!mayBegin(each)) return false;
    begun.push(each);
    each.wants -= 1;
    if (each.wants === 0) waiting.delete(each);
    return true;
  });
  return begun.map(({ name }) => name).join(" ");
}

test("workspaces take turns, and lanes within them", () => {
  expect(serveAll([lane("a", "a1", 3), lane("a", "a2", 2), lane("b", "b1", 2)])).toBe("a1 b1 a2 b1 a1 a2 a1");
});

test("a workspace that may not begin holds up no other", () => {
  const lanes = [lane("a", "a1"), lane("a", "a2"), lane("b", "b1", 2)];
  expect(serveAll(lanes, ({ workspaceId }) => workspaceId !== "a")).toBe("b1 b1");
});

test("a lane that gave up while it was looked at holds up none of its workspace", () => {
  const waiting = createWaitingLanes<Lane>();
  const [gone, next] = [lane("a", "gone"), lane("a", "next")];
  for (const each of [gone, next]) waiting.add(each);
  const served: string[] = [];
  waiting.serve(
    () => 0,
    (each) => {
      waiting.delete(each);
      if (each === gone) return false;
      served.push(each.name);
      return true;
    },
  );
  expect(served).toEqual(["next"]);
});
