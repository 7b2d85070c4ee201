import { openServiceDatabases, type ServiceDatabases } from "../service-databases.ts";

/** The pending rows in a system's databases. */
export interface Queues extends Pick<ServiceDatabases, "query">, AsyncDisposable {
  /** Names and lengths of the queues that are not empty. */
  waiting(): Promise<string[]>;
}

export function openQueues(databaseUrl: string): Queues {
  const databases = openServiceDatabases(databaseUrl);
  return {
    query: databases.query,
    waiting: async () =>
      (
        await Promise.all([
          databases.unconfirmedEvents(),
          databases.waitingIn("delivery", "due_deliveries"),
          databases.waitingIn("delivery", "disable_requests"),
        ])
      ).flat(),
    [Symbol.asyncDispose]: () => databases[Symbol.asyncDispose](),
  };
}
