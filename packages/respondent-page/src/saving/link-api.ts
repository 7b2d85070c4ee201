import type { PublicDefinition, SurveySettings } from "@canvass/questions";
import { heardTwice } from "./final-word.ts";
import { Refusal } from "./refusal.ts";

/** What `GET /public/v1/links/{code}` answers. */
export interface Link {
  state: "open" | "closed";
  reason?: string;
  message?: string | null;
  requiresPassword: boolean;
  /** False: one response per device. */
  allowsMultiple: boolean;
  /** Somebody has begun by this personal link: a start goes on. */
  goesOn: boolean;
  /** The code stands for one respondent, on all devices. */
  isPersonal: boolean;
  survey: {
    name: string;
    description: string | null;
    language: string;
    languages: string[];
    settings: Pick<SurveySettings, "display" | "navigation" | "completion" | "locale">;
  };
  definition: PublicDefinition | null;
}

export interface Session {
  respondentId: string;
  sessionToken: string;
}

export interface OwnState {
  status: "started" | "completed";
  pageId: string | null;
  language: string | null;
  seenAt: string | null;
  answers: { elementId: string; itemId: string | null; value: unknown }[];
  definition: PublicDefinition;
}

export interface Submitted {
  respondentStatus: string;
  /** When the respondent was last seen, and when before that; null with full anonymity. */
  seenAt: string | null;
  previousSeenAt: string | null;
}

export interface Submission {
  responses: { elementId: string; value: unknown }[];
  pageId: string;
  metadata: { complete: boolean };
}

/** Bytes of a body that a browser sends on while the page is closed: 64 KiB for all of these at a time. */
const longestKeptAlive = 60_000;
const timeoutMs = 20_000;

/** Where others have the room of such bodies, `fetch` fails as it does without a connection. */
async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (!init.keepalive) throw error;
    return fetch(address, { ...init, keepalive: false });
  }
}

/**
 * The calls of a link, relative to the page's own origin. They throw Refusal, or whatever `fetch` throws; a final word
 * only when it was heard twice.
 */
export function linkApi(code: string) {
  const base = `/public/v1/links/${encodeURIComponent(code)}`;

  const call = <Answer>(path: string, init: RequestInit = {}): Promise<Answer> =>
    heardTwice(() => callOnce<Answer>(path, init));

  async function callOnce<Answer>(path: string, init: RequestInit): Promise<Answer> {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await send(base + path, { signal, ...init });
    const body = (await response.json()) as { data: Answer; error: Partial<Refusal> };
    if (!response.ok) throw new Refusal(response.status, body.error, response.headers.get("retry-after"));
    return body.data;
  }

  function post<Answer>(path: string, body: object, headers: Record<string, string>): Promise<Answer> {
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    return call(path, {
      method: "POST",
      body: bytes,
      keepalive: bytes.length < longestKeptAlive,
      headers: { "content-type": "application/json", ...headers },
    });
  }

  const own = ({ respondentId }: Session) => `/respondents/${encodeURIComponent(respondentId)}`;
  const as = ({ sessionToken }: Session) => ({ "x-respondent-token": sessionToken });

  return {
    /** Who has used a link for one person may still open it. */
    readLink: (session?: Session) => call<Link>("", session && { headers: as(session) }),
    start: (body: { password?: string; language?: string }, key: string) =>
      post<Session & { startedAt: string; definition: PublicDefinition }>("/respondents", body, {
        "idempotency-key": key,
      }),
    readOwn: (session: Session) => call<OwnState>(own(session), { headers: as(session) }),
    submit: (session: Session, body: Submission, key: string) =>
      post<Submitted>(`${own(session)}/answers`, body, { ...as(session), "idempotency-key": key }),
  };
}

export type LinkApi = ReturnType<typeof linkApi>;
