/** Round robin over workspaces, then over their queues. */
export interface WaitingQueues<Queue> {
  /** Adds a queue as the last of its workspace, unless it waits already. */
  add(queue: Queue): void;
  delete(queue: Queue): void;
  /**
   * Serves queues until none can be served, always next one of the workspace with the least `load`. `serve` returns
   * whether it did something. A queue that did nothing and still waits blocks the others of its workspace.
   */
  serve(load: (workspaceId: string) => number, serve: (queue: Queue) => boolean): void;
}

export function createWaitingQueues<Queue extends { workspaceId: string }>(): WaitingQueues<Queue> {
  const waiting = new Map<string, Set<Queue>>();

  function add(queue: Queue): void {
    const ofWorkspace = waiting.get(queue.workspaceId);
    if (ofWorkspace) ofWorkspace.add(queue);
    else waiting.set(queue.workspaceId, new Set([queue]));
  }

  function remove(queue: Queue): void {
    const ofWorkspace = waiting.get(queue.workspaceId);
    ofWorkspace?.delete(queue);
    if (ofWorkspace?.size === 0) waiting.delete(queue.workspaceId);
  }

  function serveOneOf(workspaceId: string, serve: (queue: Queue) => boolean): boolean {
    for (const queue of waiting.get(workspaceId) ?? []) {
      const served = serve(queue);
      const waits = waiting.get(workspaceId)?.has(queue) === true;
      if (served && waits) toTheEnd(queue);
      if (served || waits) return served;
    }
    return false;
  }

  /** Moves the queue behind the others of its workspace, and the workspace behind those with the same load. */
  function toTheEnd(queue: Queue): void {
    const ofWorkspace = waiting.get(queue.workspaceId)!;
    ofWorkspace.delete(queue);
    ofWorkspace.add(queue);
    waiting.delete(queue.workspaceId);
    waiting.set(queue.workspaceId, ofWorkspace);
  }

  return {
    add,
    delete: remove,
    serve(load, serve) {
      for (let served = waiting.size > 0; served;) {
        const turns = [...waiting.keys()].toSorted((a, b) => load(a) - load(b));
        served = turns.some((workspaceId) => serveOneOf(workspaceId, serve));
      }
    },
  };
}
