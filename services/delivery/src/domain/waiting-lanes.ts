/** Round robin over workspaces, then over their lanes. */
export interface WaitingLanes<Lane> {
  add(lane: Lane): void;
  delete(lane: Lane): void;
  /** The workspace with the least `load` is next. A lane that is not served but still waits blocks its workspace. */
  serve(load: (workspaceId: string) => number, serve: (lane: Lane) => boolean): void;
}

export function createWaitingLanes<Lane extends { workspaceId: string }>(): WaitingLanes<Lane> {
  const waiting = new Map<string, Set<Lane>>();

  function add(lane: Lane): void {
    const ofWorkspace = waiting.get(lane.workspaceId);
    if (ofWorkspace) ofWorkspace.add(lane);
    else waiting.set(lane.workspaceId, new Set([lane]));
  }

  function remove(lane: Lane): void {
    const ofWorkspace = waiting.get(lane.workspaceId);
    ofWorkspace?.delete(lane);
    if (ofWorkspace?.size === 0) waiting.delete(lane.workspaceId);
  }

  function serveOneOf(workspaceId: string, serve: (lane: Lane) => boolean): boolean {
    for (const lane of waiting.get(workspaceId) ?? []) {
      const served = serve(lane);
      const waits = waiting.get(workspaceId)?.has(lane) === true;
      if (served && waits) toTheEnd(lane);
      if (served || waits) return served;
    }
    return false;
  }

  /** Moves the lane behind the others of its workspace, and the workspace behind those with the same load. */
  function toTheEnd(lane: Lane): void {
    const ofWorkspace = waiting.get(lane.workspaceId)!;
    ofWorkspace.delete(lane);
    ofWorkspace.add(lane);
    waiting.delete(lane.workspaceId);
    waiting.set(lane.workspaceId, ofWorkspace);
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
