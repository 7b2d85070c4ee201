import { createBatcher } from "@canvass/fairness";
import { mostBatchItems } from "@canvass/inputs";
import { callOptions } from "@canvass/rpc";
import type { Logger } from "@canvass/telemetry";
import type { ServiceClients } from "../clients/service-clients.ts";

export interface Opened {
  workspaceId: string;
  distributorId: string;
  /** Set for a contact's link on a survey without anonymity; otherwise empty. */
  linkId: string;
}

const timeoutMs = 2_000;
const maxQueued = 2_000;

/** Counts opened links in the background. Failed counts are lost. */
export function openedCounter({ links }: ServiceClients, log: Logger): (opened: Opened) => void {
  const count = createBatcher<Opened, void>({
    maxSize: mostBatchItems,
    maxInFlight: 1,
    maxQueued,
    send: async (opened) => {
      const personal = opened.filter(({ linkId }) => linkId !== "");
      await links.batchCountOpened({ opened: opened.map(distributorOf), links: personal }, callOptions({ timeoutMs }));
      return opened.map(() => undefined);
    },
  });
  return (opened) => {
    count(opened).catch((err: unknown) => log.debug({ err }, "an opening was not counted"));
  };
}

const distributorOf = ({ workspaceId, distributorId }: Opened) => ({ workspaceId, distributorId });
