/** A mistaken edit of product code that breaks a guarantee. A test of the test command must fail on it. */
export interface Mutation {
  guarantee: string;
  /** Describes the edit. */
  edit: string;
  file: string;
  /** Occurs once in the file. */
  from: string;
  to: string;
  /** The test file that fails. */
  caughtBy: string;
}

/** CONTRIBUTING.md shows this table. */
export const mutations: readonly Mutation[] = [
  {
    guarantee: "a webhook is visible in its own workspace only",
    edit: "its look-up drops the workspace",
    file: "services/webhook/src/storage/subscriptions.ts",
    from: "findUnique({ where: { workspaceId_subscriptionId: { workspaceId, subscriptionId } } });",
    to: "findFirst({ where: { subscriptionId } });",
    caughtBy: "services/webhook/test/subscriptions.test.ts",
  },
  {
    guarantee: "an event leaves for NATS after the commit of its write",
    edit: "the transaction of ordinary writes sends it with its outbox row, not after the commit",
    file: "packages/service/src/write.ts",
    from: `          await appendEvents(sql, events);
`,
    to: `          await appendEvents(sql, events);
          outbox.publish(events);
`,
    caughtBy: "packages/service/test/write.test.ts",
  },
  {
    guarantee: "an event is acknowledged after its effect is stored",
    edit: "the consumer acknowledges first",
    file: "packages/events/src/pull.ts",
    from: `    const storedIds = await receiver.receive(events);
`,
    to: `    for (const { message } of batch) message.ack();
    const storedIds = await receiver.receive(events);
`,
    caughtBy: "packages/events/test/event-path.test.ts",
  },
  {
    guarantee: "an event counts once, however often it comes",
    edit: "the counter of responses takes all events as new",
    file: "services/survey/src/consumers/count-responses.ts",
    from: `const fresh = await claimNewEvents(sql, "response-counts", events, now());`,
    to: "const fresh = events;",
    caughtBy: "services/survey/test/response-counts.test.ts",
  },
  {
    guarantee: "only the worker that holds a delivery's lease records its attempt",
    edit: "the statement drops the fence",
    file: "services/delivery/src/storage/leased-rows.ts",
    from: `
  WHERE x.lease_id = s.lease_id`,
    to: "",
    caughtBy: "services/delivery/test/record-attempts.test.ts",
  },
  {
    guarantee: "no attempt begins at a webhook that was paused before",
    edit: "the statements that begin attempts ignore its state",
    file: "services/delivery/src/storage/webhooks.ts",
    from: "AND w.status = 'active' AND ",
    to: "AND ",
    caughtBy: "services/delivery/test/insert-deliveries.test.ts",
  },
  {
    guarantee: "webhooks are sent to public addresses only",
    edit: "the address policy looks at the port alone",
    file: "packages/webhook-sender/src/address-policy.ts",
    from: "return [...closedPort(port), ...(address && isPublic(address) ? [] : [notPublic])];",
    to: "return closedPort(port);",
    caughtBy: "packages/webhook-sender/src/address-policy.test.ts",
  },
  {
    guarantee: "a write and the record of its idempotency key commit together",
    edit: "the record of a submission is written outside of its transaction",
    file: "services/response/src/application/submissions/store-submissions.ts",
    from: "await recordResponses(sql, submissions, results);",
    to: "await recordResponses(context.database.hot.sql, submissions, results);",
    caughtBy: "services/response/test/submissions.test.ts",
  },
  {
    guarantee: "a write whose `If-Match` names another revision is refused",
    edit: "the comparison is dropped",
    file: "services/survey/src/rpc/require-survey.ts",
    from: `  if (!ifMatchAllows(ifMatch, surveyTag(survey))) throw new AppError("precondition_failed");
`,
    to: "",
    caughtBy: "services/survey/test/update-survey.test.ts",
  },
  {
    guarantee: "a token may do what its scopes name, not all that its person may do",
    edit: "the role's scopes count whatever the token has",
    file: "packages/access/src/scopes.ts",
    from: "return expanded.filter((scope) => {",
    to: "return allScopes.filter((scope) => {",
    caughtBy: "packages/access/src/access.test.ts",
  },
  {
    guarantee: "`responseLimit` of a survey or link holds exactly while many complete at once",
    edit: "the places are counted without the lock",
    file: "services/response/src/storage/response-quota.ts",
    from: `    await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0)) IS NULL AS locked", [\`limit \${name}\`]);
`,
    to: "",
    caughtBy: "services/response/test/response-quota.test.ts",
  },
  {
    guarantee: "no secret, link or query of a request is logged",
    edit: "a request's line shows its address instead of its route",
    file: "gateway/src/plugins/request-log/request-log.ts",
    from: `const route = request.is404 ? "" : (request.routeOptions.url ?? "");`,
    to: "const route = request.url;",
    caughtBy: "gateway/test/request-log.test.ts",
  },
  {
    guarantee: "results count the answers that stand",
    edit: "a changed answer counts beside the former one",
    file: "services/response/src/domain/submissions/change-answer.ts",
    from: "before: tallyOf(was)",
    to: "before: null",
    caughtBy: "services/response/src/domain/submissions/apply-submission.test.ts",
  },
  {
    guarantee: "results leave out answers off the path",
    edit: "a completed respondent's answers are never marked",
    file: "services/response/src/domain/submissions/apply-submission.ts",
    from: "if (state.completedAt !== null) yield*",
    to: "if (state.respondentId === '') yield*",
    caughtBy: "services/response/src/domain/submissions/mark-path.test.ts",
  },
  {
    guarantee: "a save refuses what breaks a constraint",
    edit: "only a change after completion is refused",
    file: "services/response/src/domain/submissions/constraint-violations.ts",
    from: "(isFinal || isTouched(broken))",
    to: "(isSettled || (isFinal && isTouched(broken)))",
    caughtBy: "services/response/src/domain/submissions/constraint-violations.test.ts",
  },
];
