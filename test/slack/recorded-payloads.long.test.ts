import { describe, expect, it } from "vitest";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { ask, buttonsOn, messagesAfter } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import type { Curfew } from "../support/start-curfew.ts";
import { lastDelivery, merge } from "../support/wire.ts";
import { endOf, orgSeed, startWithSteps } from "../support/workflow-steps.ts";
import payloads from "./recorded/payloads.json" with { type: "json" };
import { variantsOf } from "./recorded/vary.ts";

/** Without these a payload is none: who acts, where, with what, and the trigger of a form. */
const needed: Readonly<Record<keyof typeof payloads, readonly string[]>> = {
  command: ["user_id", "channel_id", "command", "trigger_id"],
  block_actions: [
    ...["type", "user", "user.id", "trigger_id"],
    ...["actions", "actions.0", "actions.0.type", "actions.0.action_id", "view", "view.id", "view.type"],
  ],
  view_submission: ["type", "user", "user.id", "view", "view.id", "view.type", "view.callback_id"],
  block_suggestion: ["type", "user", "user.id", "action_id", "block_id"],
  shortcut: ["type", "user", "user.id", "callback_id", "trigger_id"],
  app_mention: ["type", "event", "event.type", "event.user", "event.channel", "event.ts", "event.text"],
  // The last of them is the app's own.
  message: ["type", "event", "event.type", "event.user", "event.channel", "event.ts", "event.bot_profile"],
  app_home_opened: ["type", "event", "event.type", "event.user", "event.tab"],
  function_executed: [
    ...["type", "team_id", "event", "event.type", "event.function", "event.function.callback_id"],
    "event.function_execution_id",
  ],
};

type Act = (curfew: Curfew) => Promise<unknown>;

/** In each run one of missing, null and empty for most fields: all of them take minutes. */
const turn = Date.now() % 3;

/** Acts once as it is, and then with each field of what Slack sends missing, null or empty. Each act must be answered. */
async function play(curfew: Curfew, type: keyof typeof payloads, act: Act, sentAs: string = type): Promise<void> {
  const { faults } = curfew.workspace;
  const { payload } = payloads[type];
  await act(curfew);
  const shape = merge(payload, lastDelivery(curfew, sentAs).payload);
  const failures: string[] = [];
  const variants = variantsOf(shape, new Set(needed[type])).filter((_variant, index) => index % 3 === turn);
  for (const { name, vary } of variants) {
    faults.alter(sentAs, (sent) => vary(merge(payload, sent)));
    await act(curfew).catch((error: unknown) => failures.push(`${name}: ${String(error).slice(0, 200)}`));
    faults.clear();
  }
  expect(failures).toEqual([]);
}

const carol = ({ workspace }: Curfew) => workspace.as("carol");
const formOf = (curfew: Curfew) =>
  curfew.workspace.waitFor(() => carol(curfew).openView(), { what: "a form for carol", timeoutMs: 3000 });

async function opened(curfew: Curfew, act: () => Promise<unknown>): Promise<void> {
  if (carol(curfew).openView()) await carol(curfew).cancel();
  expect(await act()).toEqual({ ok: true });
  await formOf(curfew);
}

// Over Socket Mode the same payloads come in an envelope, which strange-messages.test.ts varies.
describe("each field of a payload may be missing, null or empty", () => {
  const { curfew } = oneBot();
  const answered = async (act: () => Promise<unknown>) => {
    const { text } = await messagesAfter(curfew(), "carol", act);
    expect(text).not.toContain("Something went wrong");
  };
  const said = async (): Promise<StoredMessage> => {
    await carol(curfew()).type("i-0a1 stops at seven", "ops");
    const message = curfew().workspace.channel("ops").messages.at(-1);
    if (message === undefined) throw new Error("Nothing was said.");
    return message;
  };

  it("a slash command", async () => {
    await play(curfew(), "command", () => answered(() => carol(curfew()).type("/curfew whoami", "ops")));
  });

  it("a button on a message", async () => {
    await play(curfew(), "block_actions", async () => {
      const { message } = await ask(curfew(), "carol", "policies Billing");
      await answered(() => carol(curfew()).press("Details", message));
    });
  });

  it("a mention and a direct message", async () => {
    await play(curfew(), "app_mention", () => answered(() => carol(curfew()).type("@Curfew whoami", "ops")));
    await play(curfew(), "message", () => answered(() => carol(curfew()).type("whoami", "dm")));
  });

  it("a shortcut", async () => {
    const shortcut = () => carol(curfew()).messageShortcut("Keep these running", message);
    const message = await said();
    await play(curfew(), "shortcut", () => opened(curfew(), shortcut), "message_action");
  });

  it("a sent form", async () => {
    await play(curfew(), "view_submission", async () => {
      await opened(curfew(), () => carol(curfew()).type("/curfew exclude", "ops"));
      await carol(curfew()).fill({ What: "i-0a1" });
      const { kind } = await carol(curfew()).submit();
      expect(["closed", "updated", "errors"]).toContain(kind);
    });
  });

  it("a choice in a form", async () => {
    await opened(curfew(), () => carol(curfew()).type("/curfew exclude", "ops"));
    const isFolded = () => buttonsOn(carol(curfew()).openView() ?? { blocks: [] }).includes("More…");
    await play(curfew(), "block_actions", async () => {
      if (!isFolded()) await opened(curfew(), () => carol(curfew()).type("/curfew exclude", "ops"));
      expect(await carol(curfew()).press("More…", "view")).toEqual({ ok: true });
    });
  });

  it("what is typed in a select", async () => {
    await opened(curfew(), () => carol(curfew()).type("/curfew user disable", "ops"));
    await play(curfew(), "block_suggestion", async () => {
      await carol(curfew()).suggest("User", "bob");
    });
    expect(curfew().logged.join("")).not.toContain("suggestions could not be found");
  });

  it("the Home tab", async () => {
    await play(curfew(), "app_home_opened", async () => {
      const published = () => curfew().workspace.calls.filter(({ method }) => method === "views.publish").length;
      const before = published();
      expect(await carol(curfew()).openHome()).toEqual({ ok: true });
      await curfew().workspace.waitFor(() => published() > before, { what: "a Home tab", timeoutMs: 3000 });
    });
  });
});

it("each field of a step may be missing, null or empty", async () => {
  const curfew = await startWithSteps({ seed: orgSeed });
  await play(curfew, "function_executed", async () => {
    await endOf(curfew, await curfew.workspace.runStep("check_status", { thing: "staging" }));
  });
  await curfew.stop();
});
