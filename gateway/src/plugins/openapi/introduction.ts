/** The introduction of the API document, in Markdown. The full rules are in gateway/docs/contract.md. */
export const introduction = `Surveys, answers, results and events of a workspace, by HTTP and JSON.

## Begin

Texts name paths below \`/api/v1\`. Each request carries a token: \`Authorization: Bearer cvs_live_…\`. The start of the system prints the first one; \`POST /tokens\` makes
more, with fewer scopes. A person of several workspaces names another one than the token's own in the header \`X-Workspace-ID\`. Tokens that begin with \`cvs_test_\` answer for test respondents, which count nowhere.

1. \`POST /surveys\` with a name and questions makes a draft.
2. \`POST /surveys/{surveyId}/publish\` publishes it.
3. \`POST /distribution/surveys/{surveyId}\` makes a link for people to open, once it is activated; or your program starts a respondent and sends its
answers (**Responses**).
4. \`GET /response/surveys/{surveyId}/aggregation\` has the results at once.
5. \`POST /event-subscriptions\` sends each completed response to your server: [Receiving webhooks](/docs/webhooks).

## Answers

A success is \`{success: true, data, meta}\`, a list adds \`pagination\`. A refusal is \`{success: false, error, meta}\`: \`error.code\` is stable,
\`error.details\` lists every fault by its place, \`error.retryable\` tells whether the same request may succeed later. \`GET /errors\` explains every
code. An unknown address answers 404 \`route_not_found\`, a wrong method 405 \`method_not_allowed\` with \`Allow\`. Quote \`meta.requestId\` when you
ask for help.

## Repeat safely

A write with an \`Idempotency-Key\` happens once, however often it is sent within 24 hours: a repetition gets the first answer, with
\`Idempotent-Replayed: true\`. After 429, 503 or 504 wait as \`Retry-After\` tells and send it again with the same key.

## Change safely

What can be changed has an \`ETag\`. Send it back as \`If-Match\`, and of two writers who read the same state the later one is told (412)
instead of overwriting; \`*\` overwrites. With \`If-None-Match\` a read of what has not changed is 304.

## Lists

\`pagination.cursor_next\`, sent back as \`cursor\`, leads to the next page, whatever is written meanwhile; a cursor belongs to its filters.

## Bodies

JSON in UTF-8, plain or compressed (\`Content-Encoding\`: gzip, deflate, br), at most 1 MiB as it is sent and when it is decompressed, where an
operation does not say otherwise. No object may have the same key twice, no text U+0000 or half of a surrogate pair.`;
