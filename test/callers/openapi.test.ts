import { expect, test } from "vitest";
import { z } from "zod";
import { changeAnswer, problemAnswer } from "../../src/callers/answer.ts";
import { lineAnswer, lineRequest, openApi, problemKinds } from "../../src/callers/schemas.ts";
import { changeStates } from "../../src/changes/change.ts";
import type { Message } from "../../src/slack/messages/message.ts";
import { choicesOn, plainText } from "../../src/slack/messages/plain-text.ts";
import { aChange } from "../changes/build.ts";

const described = z
  .object({
    paths: z.record(
      z.string(),
      z.record(z.string(), z.object({ responses: z.record(z.string(), z.object({ description: z.string() })) })),
    ),
    components: z.object({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
  })
  .parse(openApi());

test("the description in manifest is that of the schemas", async () => {
  await expect(`${JSON.stringify(openApi(), null, 2)}\n`).toMatchFileSnapshot("../../manifest/openapi.json");
});

test("every status and schema that is sent is described", () => {
  const { post } = described.paths["/v1/lines"] ?? {};
  const { get } = described.paths["/v1/changes/{id}"] ?? {};
  const statuses = new Set([post, get].flatMap((each) => Object.keys(each?.responses ?? {}).map(Number)));
  const { "wrong-method": _405, ...sent } = problemKinds;
  expect([...statuses].sort()).toEqual([200, 202, ...Object.values(sent).map(([status]) => status)].sort());
  const { LineRequest, Answer } = described.components.schemas;
  expect(LineRequest).toMatchObject({ required: ["line"], additionalProperties: false });
  expect(Object.keys(lineRequest.shape)).toEqual(Object.keys(Object(LineRequest?.properties)));
  expect(Object.keys(lineAnswer.shape)).toEqual(Object.keys(Object(Answer?.properties)));
});

test("only what was done or planned is a success; what waits says where to look", () => {
  const statusOf = Object.fromEntries(
    changeStates.map((state) => [state, changeAnswer(aChange({ state }), "").status]),
  );
  expect(statusOf).toEqual({
    ...{ "awaiting-approval": 202, approved: 202, performing: 202 },
    ...{ planned: 200, succeeded: 200 },
    ...{ denied: 403, withdrawn: 403, expired: 403, failed: 502, unknown: 502, partly: 502 },
  });
  expect(changeAnswer(aChange(), "").headers).toEqual({ location: "/v1/changes/chg-1" });
  expect(problemAnswer("not-now", "").headers).toEqual({ "retry-after": "2" });
});

test("a message becomes plain words and choices", async () => {
  const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } }) as const;
  const button = (action_id: string, label: string, value: string) =>
    ({ type: "button", action_id, value, text: { type: "plain_text", text: label } }) as const;
  const message: Message = {
    text: "",
    blocks: [
      section(":no_entry: *staging* &amp; &lt;x&gt; of <@U1>, <#C0OPS>, <!subteam^S1>"),
      section("until <!date^1^{time}|7 pm> · 2*3*4 <https://x.example/a|the card>"),
      {
        type: "actions",
        elements: [
          button("run:exclusion create:dev", "Development", '{"project":"p-dev"}'),
          button("form:exclusion create:other", "Other…", "{}"),
          button("ask:exclusion create:ask", "Ask carol", "{}"),
        ],
      },
    ],
  };
  expect(await plainText(message, async () => "alice")).toBe(
    "staging & <x> of @alice, #C0OPS, @S1\nuntil 7 pm · 2*3*4 https://x.example/a",
  );
  expect(choicesOn(message)).toEqual([
    { label: "Development", command: "exclusion create", input: { project: "p-dev" } },
  ]);
});
