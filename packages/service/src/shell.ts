import type { VerifyCaller } from "@canvass/access";
import type { Bus, Outbox } from "@canvass/events";
import type { CursorCodec, Database } from "@canvass/postgres";
import type { RpcClient, RpcClientOptions } from "@canvass/rpc";
import type { Logger, Registry } from "@canvass/telemetry";
import type { DescService } from "@bufbuild/protobuf";
import type { Write, WriteGate } from "./write.ts";

/** What every service has. A service's context is this and what is its own. */
export interface Shell<Prisma, Client> {
  database: Database<Prisma>;
  /** A transaction that publishes events. */
  write: Write<Client>;
  /** Bounds writes that need no Prisma transaction below the size of the pool. */
  writeGate: WriteGate;
  cursors: CursorCodec;
  outbox: Pick<Outbox, "nudge">;
  bus: Bus;
  verifyCaller: VerifyCaller;
  now: () => Date;
  log: Logger;
  metrics: Registry;
  /** A client of another service, with this process's key and certificates. Closed when the service stops. */
  connect: <Service extends DescService>(
    service: Service,
    target: Pick<RpcClientOptions, "url" | "name" | "defaultTimeoutMs">,
  ) => RpcClient<Service>;
  /** Ties a part to the service's life: parts are disposed in reverse order when it stops. */
  use: <Part extends AsyncDisposable | Disposable>(part: Part) => Part;
}
