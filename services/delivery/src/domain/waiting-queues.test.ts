import { expect, test } from "vitest";
import { createWaitingQueues } from "./waiting-queues.ts";

const queue = (workspaceId: string, name: string, wants = 1) => ({ workspaceId, name, wants });
type Queue = ReturnType<typeof queue>;

function serveAll(queues: readonly Queue[], mayBegin: (queue: Queue) => boolean = () => true): string {
  const waiting = createWaitingQueues<Queue>();
  for (const each of queues) waiting.add(each);
  const begun: Queue[] = [];
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

test("workspaces take turns, and queues within them", () => {
  expect(serveAll([queue("a", "a1", 3), queue("a", "a2", 2), queue("b", "b1", 2)])).toBe("a1 b1 a2 b1 a1 a2 a1");
});

test("a workspace that may not begin holds up no other", () => {
  const queues = [queue("a", "a1"), queue("a", "a2"), queue("b", "b1", 2)];
  expect(serveAll(queues, ({ workspaceId }) => workspaceId !== "a")).toBe("b1 b1");
});

test("a queue that stops waiting while it is served holds up none of its workspace", () => {
  const waiting = createWaitingQueues<Queue>();
  const [gone, next] = [queue("a", "gone"), queue("a", "next")];
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
