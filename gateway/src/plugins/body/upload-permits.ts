import { createKeyedSemaphore } from "@canvass/fairness";

export interface Guest {
  workspaceId: string;
  code: string;
  respondentId: string;
  clientKey: string;
}

/** Permits for uploads in flight. Both functions throw as `KeyedSemaphore.acquire`. Disposing releases all permits. */
export interface UploadPermits {
  ofCaller(workspaceId: string): Disposable;
  ofGuest(guest: Guest): Disposable;
}

const total = 64;

/** Anyone can start sessions, so respondents, addresses and links have limits, and permits remain for tokens. */
export function createUploadPermits(): UploadPermits {
  const permits = (perKey: number) => createKeyedSemaphore({ perKey, total, reserved: total / 2, counted: "uploads" });
  const workspaces = permits(16);
  const guests = permits(12);
  const links = permits(8);
  const clients = permits(6);
  const respondents = permits(3);
  return {
    ofCaller: (workspaceId) => workspaces.acquire(workspaceId),
    ofGuest({ workspaceId, code, respondentId, clientKey }) {
      using acquired = new DisposableStack();
      acquired.use(respondents.acquire(`${code} ${respondentId}`));
      acquired.use(clients.acquire(clientKey));
      acquired.use(links.acquire(code));
      acquired.use(guests.acquire(workspaceId));
      acquired.use(workspaces.acquire(workspaceId));
      return acquired.move();
    },
  };
}
