import { waitFor } from "@canvass/testing";
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { connectOperator } from "../../src/connect-operator.ts";
import { createApiClient } from "../../src/index.ts";
import { expectRefusal } from "../expected-shapes.ts";
import type { SharedSystem } from "../shared-system.ts";

export function testCopies(shared: SharedSystem): void {
  test("a survey is copied into another workspace where its person may write, and into no other", async () => {
    const { system } = shared.demo;
    const [home, there, foreign] = [
      await shared.newWorkspace(),
      await shared.newWorkspace(),
      await shared.newWorkspace(),
    ];
    await using operator = connectOperator(system);
    const person = { name: "Editor", email: `${randomUUID()}@example.org`, role: "editor" };
    const { workspaceId } = home;
    const { personId } = await operator.addPerson({ workspaceId, ...person });
    await operator.addPerson({ workspaceId: there.workspaceId, ...person });
    const scopes = { scopes: ["surveys:write"] };
    const issued = await operator.issueToken({ workspaceId, personId, name: "copies", scopes, live: true });
    await using api = createApiClient(system.local.baseUrl, issued.tokenValue);
    const questions = [
      {
        type: "form",
        name: "flat",
        text: "Your **flat**",
        textFormat: "markdown",
        rows: ["Street", { text: "Rooms", format: "number" }],
      },
    ];
    const settings = { access: { password: "sesame" }, display: { theme: "dark" } };
    const { id } = (await api.post("/surveys", { name: "Lunch", questions, settings })).data;
    const copy = (body: object, headers = {}) => api.call("POST", `/surveys/${id}/copy`, { body, headers });

    const key = { "idempotency-key": randomUUID() };
    const elsewhere = { name: "There", workspaceId: there.workspaceId };
    const [first, second] = [await copy(elsewhere, key), await copy(elsewhere, key)];
    expect([first.status, second.raw]).toEqual([201, first.raw]);
    const copied = first.data.id as string;
    expect((await there.api.get(`/surveys/${copied}`)).data).toMatchObject({
      name: "There",
      ownerAccountId: personId,
      settings: { access: { password: false }, display: { theme: "dark" } },
    });
    expect((await there.api.get(`/surveys/${copied}/elements?include=content`)).data).toMatchObject([
      {
        name: "flat",
        questionText: "Your **flat**",
        settings: { typeSettings: { textFormat: "markdown" } },
        rows: [{ text: "Street" }, { text: "Rooms", format: "number" }],
      },
    ]);
    expectRefusal(await api.call("GET", `/surveys/${copied}`), 404, "survey_not_found");
    const entry = await waitFor(
      async () => (await there.api.get(`/audit-log?resource=${copied}`)).data[0] as Record<string, unknown> | undefined,
      { describe: "the entry in the audit log" },
    );
    expect(entry).toMatchObject({
      action: "survey.created",
      after: { copiedFrom: { surveyId: id, workspaceId } },
    });

    const here = await copy({});
    expect([here.status, here.data.name, here.data.settings.access.password]).toEqual([201, "Lunch", true]);

    for (const other of [foreign.workspaceId, "0".repeat(16), "no id"]) {
      expectRefusal(await copy({ workspaceId: other }), 403, "workspace_not_accessible");
    }
    await operator.setRole({ workspaceId: there.workspaceId, personId, role: "viewer" });
    const refused = async () => (await copy({ workspaceId: there.workspaceId })).status === 403;
    await waitFor(refused, { describe: "the smaller role to act" });
    expectRefusal(await copy({ workspaceId: there.workspaceId }), 403, "forbidden");
  });
}
