import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { TokenUseSchema } from "@canvass/proto/token";
import { singleFlight, type Logger } from "@canvass/telemetry";
import { clientAddress } from "../../client-address/client-address.ts";

type TokenUse = MessageInitShape<typeof TokenUseSchema>;

export interface TokenUsesOptions {
  send: (uses: TokenUse[]) => Promise<unknown>;
  now: () => Date;
  log: Logger;
  /** Default 20,000, so that after a failure the next report still comes within a minute. */
  intervalMs?: number | undefined;
  /** Limit of unreported tokens while the token service is down. Uses of more tokens are dropped. */
  maxTokens?: number;
}

export interface TokenUses extends AsyncDisposable {
  record: (tokenId: string, request: { ip: string | undefined }) => void;
}

const BATCH = 500;

interface LastUse {
  at: number;
  ip: string | undefined;
}

/** Reports the last use of each token every `intervalMs` (contract 4.7), so that authentication does not write. */
export function startTokenUses(options: TokenUsesOptions): TokenUses {
  const { send, now, log, intervalMs = 20_000, maxTokens = 100_000 } = options;
  let gathered = new Map<string, LastUse>();
  const report = singleFlight(reportGathered);
  const tryToReport = () => report().catch((err: unknown) => log.warn({ err }, "uses of tokens were not reported"));
  const timer = setInterval(() => void tryToReport(), intervalMs).unref();

  async function reportGathered(): Promise<void> {
    const uses = [...gathered];
    gathered = new Map();
    for (let start = 0; start < uses.length; start += BATCH) {
      const batch = uses.slice(start, start + BATCH);
      try {
        await send(batch.map(([tokenId, use]) => toMessage(tokenId, use)));
      } catch (err) {
        log.warn({ err, tokens: uses.length - start }, "uses of tokens could not be reported; trying again");
        for (const [tokenId, use] of uses.slice(start)) if (!gathered.has(tokenId)) keep(tokenId, use);
        return;
      }
    }
  }

  function keep(tokenId: string, use: LastUse): void {
    if (gathered.size < maxTokens) gathered.set(tokenId, use);
  }

  return {
    record(tokenId, { ip }) {
      const at = now().getTime();
      const known = gathered.get(tokenId);
      if (!known) return keep(tokenId, { at, ip });
      known.at = at;
      known.ip = ip;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      // Twice: the first call may join a report that began before the last uses.
      await tryToReport();
      await tryToReport();
    },
  };
}

function toMessage(tokenId: string, { at, ip }: LastUse): TokenUse {
  return { tokenId, usedAt: timestampFromDate(new Date(at)), clientAddress: clientAddress({ ip }) };
}
