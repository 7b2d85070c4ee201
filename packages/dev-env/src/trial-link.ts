import { readJson, writePrivateJson } from "@canvass/provisioning";

export type TrialLinkOptions = {
  baseUrl: string;
  token: string;
  file: string;
  isFirstStart: boolean;
};

export type TrialLink = { url: string; surveyId: string };

type Call = <Data>(method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Data>;
type Distributor = { id: string; surveyId: string; status: string; url: string };

const patienceMs = 15_000;

/** The first start creates a small survey with a link; later starts find it, if active. Throws if a request fails. */
export async function keepTrialLink(options: TrialLinkOptions): Promise<TrialLink | undefined> {
  const call = caller(options, AbortSignal.timeout(patienceMs));
  return options.isFirstStart ? makeLink(call, options.file) : findLink(call, options.file);
}

async function makeLink(call: Call, file: string): Promise<TrialLink> {
  const { id: surveyId } = await call<{ id: string }>("POST", "/surveys", trialSurvey);
  await call("POST", `/surveys/${surveyId}/publish`, {}, { "if-match": "*" });
  await call("POST", "/event-subscriptions", { name: "Feed" });
  const { id } = await call<Distributor>("POST", `/distribution/surveys/${surveyId}`, { name: "First link" });
  const { url } = await call<Distributor>("POST", `/distribution/${id}/activate`);
  await writePrivateJson(file, { distributorId: id });
  return { url, surveyId };
}

async function findLink(call: Call, file: string): Promise<TrialLink | undefined> {
  const { distributorId } = ((await readJson(file)) ?? {}) as { distributorId?: string };
  if (!distributorId) return undefined;
  const found = await call<Distributor>("GET", `/distribution/${distributorId}`).catch((error: unknown) => {
    if (error instanceof RefusedError) return undefined;
    throw error;
  });
  return found?.status === "active" ? { url: found.url, surveyId: found.surveyId } : undefined;
}

class RefusedError extends Error {}

function caller({ baseUrl, token }: TrialLinkOptions, signal: AbortSignal): Call {
  return async <Data>(method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(baseUrl + path, {
      method,
      signal,
      headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const message = `${method} ${path} answered ${response.status}`;
    if (response.status >= 400 && response.status < 500) throw new RefusedError(message);
    if (!response.ok) throw new Error(message);
    return ((await response.json()) as { data: Data }).data;
  };
}

const trialSurvey = {
  name: "A cup of coffee",
  description: "Five questions, to try answering and see the results.",
  questions: [
    { pageTitle: "Your last coffee", type: "rating", text: "How was it?", required: true },
    {
      type: "multiple_choice",
      text: "What did you drink?",
      choices: ["Espresso", "Filter coffee", "Cappuccino", "Tea, in fact"],
      required: true,
    },
    { type: "yes_no", text: "Would you have another one?" },
    { pageTitle: "In the end", type: "nps", text: "Recommendation", subject: "that coffee" },
    { type: "long_text", text: "Anything else?" },
  ],
};
