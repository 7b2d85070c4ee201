import { createPlaces } from "@canvass/rpc";

export interface Guest {
  workspaceId: string;
  code: string;
  respondentId: string;
  clientKey: string;
}

/** Slots for uploads in flight. Both functions throw as `Places` do. Disposing releases all slots taken. */
export interface UploadPlaces {
  ofCaller(workspaceId: string): Disposable;
  ofGuest(guest: Guest): Disposable;
}

/** Anyone can start sessions, so respondents, addresses and links have limits, and slots remain for tokens. */
export function createUploadPlaces(): UploadPlaces {
  const places = (perOwner: number) => createPlaces({ perOwner, together: 64, counted: "uploads" });
  const workspaces = places(16);
  const guests = places(12);
  const links = places(8);
  const clients = places(6);
  const respondents = places(3);
  return {
    ofCaller: (workspaceId) => workspaces.take(workspaceId),
    ofGuest({ workspaceId, code, respondentId, clientKey }) {
      using taking = new DisposableStack();
      taking.use(respondents.take(`${code} ${respondentId}`));
      taking.use(clients.take(clientKey));
      taking.use(links.take(code));
      taking.use(guests.take(workspaceId));
      taking.use(workspaces.take(workspaceId));
      return taking.move();
    },
  };
}
