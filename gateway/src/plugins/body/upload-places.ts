import { createPlaces } from "@canvass/rpc";

export interface Guest {
  workspaceId: string;
  code: string;
  respondentId: string;
  /** Of its client address. */
  clientKey: string;
}

/** Places for uploads under way. Both throw as `Places` do, and give back all places when disposed. */
export interface UploadPlaces {
  ofCaller(workspaceId: string): Disposable;
  ofGuest(guest: Guest): Disposable;
}

/**
 * Each upload holds some 100 KiB here and a call to a service. Sessions are free, so a respondent, a client address and a link leave
 * places to others, and all of them together leave some of the workspace's to tokens.
 */
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
