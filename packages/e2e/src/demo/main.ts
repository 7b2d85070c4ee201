import { createCanvass } from "@canvass/sdk";
import { parseArgs } from "node:util";
import { readBfiItems, readBfiRespondents } from "../bfi.ts";
import { publishBfiSurvey } from "../bfi-survey.ts";
import { startDemoSystem } from "../demo-system.ts";
import { runCoffee } from "./coffee/run-coffee.ts";
import { runCommute } from "./commute/run-commute.ts";
import { compareItems } from "./compare-items.ts";
import { printReport } from "./print-report.ts";
import { createProgress } from "./progress.ts";
import { shareSurvey } from "./share-survey.ts";
import { stayOpen } from "./stay-open.ts";
import { submitAll } from "./submit-all.ts";
import { awaitEvents } from "./await-events.ts";

// The demo: survey, publication, 2,800 respondents, results, webhooks and feed. Then a survey that changes, and one
// with display logic and carried choices in three languages. Then links to answer.
const { values: options } = parseArgs({ options: { stay: { type: "boolean", default: false } } });
const items = readBfiItems();
const respondents = readBfiRespondents(items);
const progress = createProgress();

progress.say("Starting a system of its own: temporary data, free ports, a webhook receiver on loopback …");
await using demo = await startDemoSystem();
const { api, receiver } = demo;
const { baseUrl, token } = demo.system.local;
const canvass = createCanvass({ url: new URL(baseUrl).origin, token });

const survey = await publishBfiSurvey(api, items);
progress.say(`Published survey ${survey.surveyId} with ${items.length} questions.`);
const webhook = await canvass.webhooks.create({ name: "Demo webhook", url: receiver.url });
receiver.trust(webhook.secret!);
await canvass.events.subscribe({ name: "Demo feed" });

const submitted = await submitAll(api, survey, items, respondents, progress);
const events = await awaitEvents(canvass, receiver, respondents.length, progress);
progress.stop();

const aggregation = await canvass.results.get(survey.surveyId);
const comparison = compareItems(items, respondents, survey, aggregation);
const isRight = printReport({
  comparison,
  completed: aggregation.respondentStats.totalCompleted,
  expected: respondents.length,
  submitted,
  receiver,
  feed: events,
});
progress.say("\nA second survey, Getting to work: answered, changed, published again, answered again …");
const isChangeRight = await runCommute(api);
progress.say("\nA third survey, Coffee at work: in three languages, with display logic, a hidden field and a quota …");
const coffee = await runCoffee(api, { baseUrl, token });
process.exitCode = isRight && isChangeRight && coffee.isRight ? 0 : 1;
const links = {
  "the first survey": await shareSurvey(api, survey.surveyId),
  "the third, from the fourth floor": `${await shareSurvey(api, coffee.surveyId)}?floor=4`,
};
await stayOpen(links, progress, process.stdout.isTTY || options.stay);
