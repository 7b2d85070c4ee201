import type { PrefillName, PublicDefinition, RespondentContext, SurveySettings } from "@canvass/questions";
import { retryGone } from "./retry-gone.ts";
import { Refusal } from "./refusal.ts";

/** The response of `GET /public/v1/links/{code}`. */
export interface Link {
  state: "open" | "closed";
  reason?: string;
  message?: string | null;
  requiresPassword: boolean;
  /** False: one response per device. */
  allowsMultiple: boolean;
  /** A respondent has begun with this personal link; a start continues with it. */
  goesOn: boolean;
  /** The code identifies one respondent, on all devices. */
  isPersonal: boolean;
  /** Questions that the address may answer, by name. */
  prefill?: Record<string, PrefillName>;
  /** Whose link it is, if a text names the first name. */
  contact?: { firstName: string };
  survey: {
    name: string;
    description: string | null;
    language: string;
    /** Of these texts and the definition. */
    shownLanguage: string;
    languages: string[];
    /** Hidden fields are kept only where they allow it. */
    isAnonymous: boolean;
    /** A gateway of an earlier release gives no welcome screen. */
    settings: Pick<SurveySettings, "display" | "navigation" | "completion" | "locale"> &
      Partial<Pick<SurveySettings, "welcome">>;
  };
  definition: PublicDefinition | null;
}

export interface Session {
  respondentId: string;
  sessionToken: string;
}

export interface StartBody {
  password?: string;
  language?: string;
  orderSeed: number;
  fields?: Record<string, string>;
}

export interface OwnState {
  status: "started" | "completed" | "screened_out";
  pageId: string | null;
  language: string | null;
  seenAt: string | null;
  /** Null where none is stored. */
  orderSeed: number | null;
  fields: RespondentContext["fields"];
  answers: { elementId: string; itemId: string | null; value: unknown }[];
  /** The respondent cannot complete with these answers: a quota that they match is full. */
  quotaFull?: FullQuota;
  definition: PublicDefinition;
}

export interface Submitted {
  respondentStatus: string;
  quotaFull?: OwnState["quotaFull"];
  /** When the respondent was last seen, and when before that; null with full anonymity. */
  seenAt: string | null;
  previousSeenAt: string | null;
}

export interface FullQuota {
  message: string | null;
}

export interface Submission {
  responses: { elementId: string; value: unknown }[];
  /** The visit that is left; null while the respondent is in the middle of it. */
  pageId: string | null;
  metadata: { complete: boolean; language: string };
}

/** Limit in bytes for `keepalive`. Browsers allow 64 KiB for all such requests in flight. */
const longestKeptAlive = 60_000;
const timeoutMs = 20_000;

/** `fetch` fails like a lost connection if other requests use up the `keepalive` quota, so this retries without it. */
async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (!init.keepalive) throw error;
    return fetch(address, { ...init, keepalive: false });
  }
}

/** The calls throw `Refusal` (401, 404 and 410 after a second attempt), or another error if no valid response comes. */
export function linkApi(code: string) {
  const base = `/public/v1/links/${encodeURIComponent(code)}`;

  const call = <Answer>(path: string, init: RequestInit = {}): Promise<Answer> =>
    retryGone(() => callOnce<Answer>(path, init));

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

  const inLanguage = (language?: string) => (language ? `?language=${encodeURIComponent(language)}` : "");

  return {
    /** With a session, a respondent can still open a personal link that was used. */
    readLink: (session?: Session, language?: string) =>
      call<Link>(inLanguage(language), session && { headers: as(session) }),
    start: (body: StartBody, key: string) =>
      post<Session & Pick<OwnState, "definition" | "fields" | "orderSeed"> & { startedAt: string }>(
        "/respondents",
        body,
        { "idempotency-key": key },
      ),
    readOwn: (session: Session, language?: string) =>
      call<OwnState>(own(session) + inLanguage(language), { headers: as(session) }),
    submit: (session: Session, body: Submission, key: string) =>
      post<Submitted>(`${own(session)}/answers`, body, { ...as(session), "idempotency-key": key }),
  };
}

export type LinkApi = ReturnType<typeof linkApi>;
