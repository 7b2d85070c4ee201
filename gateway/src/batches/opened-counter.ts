import { mostBatchItems } from "@canvass/inputs";
import { callOptions, createBatcher } from "@canvass/rpc";
import type { Logger } from "@canvass/telemetry";
import type { ServiceClients } from "../clients/service-clients.ts";

/** A distributor whose link was opened. */
export interface Opened {
  workspaceId: string;
  distributorId: string;
}

const timeoutMs = 2_000;
/** Beyond it some are not counted: nobody waits for this figure. */
const maxQueued = 2_000;

/** Counts that links were opened, in the background. What fails is lost. */
export function openedCounter({ links }: ServiceClients, log: Logger): (opened: Opened) => void {
  const count = createBatcher<Opened, void>({
    maxSize: mostBatchItems,
    maxInFlight: 1,
    maxQueued,
    send: async (opened) => {
      await links.batchCountOpened({ opened }, callOptions({ timeoutMs }));
      return opened.map(() => undefined);
    },
  });
  return ({ workspaceId, distributorId }) => {
    count({ workspaceId, distributorId }).catch((err: unknown) => log.debug({ err }, "an opening was not counted"));
  };
}
