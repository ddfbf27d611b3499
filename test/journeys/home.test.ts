import { beforeEach, expect, it } from "vitest";
import type { OpenView } from "../../src/sandbox/workspace/form-fields.ts";
import { isJsonObject, objectsIn, plainText } from "../../src/sandbox/workspace/json-object.ts";
import { ask, buttonsOn, changesSentTo, exclusionIdIn, messagesAfter, send, textOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

/** Engineers may act anywhere, the help desk in one channel only. */
const config = unlimitedConfig
  .replace(/ +channels: \[C0OPS\].*\n/, "")
  .replace(
    "allow: [ModifyUser, RemoveUserMfa]\n",
    "allow: [ModifyUser, RemoveUserMfa]\n      where: { channels: [C0SEC] }\n",
  );

withOneBot(
  (curfew, clock) => {
    const buttons = ({ blocks }: OpenView) => buttonsOn({ blocks });
    const homeOf = async (who: string, isReady: (home: OpenView) => boolean = () => true) =>
      curfew().workspace.waitFor(
        () => {
          const home = curfew().workspace.as(who).home();
          return home && isReady(home) && home;
        },
        { what: `the Home tab of ${who}` },
      );
    const open = async (who: string) => {
      const before = curfew().workspace.as(who).home()?.hash;
      expect(await curfew().workspace.as(who).openHome()).toEqual({ ok: true });
      return homeOf(who, ({ hash }) => hash !== before);
    };
    const exclude = async (who: string, name: string) => {
      const { exclusionId } = await ask(curfew(), who, `exclude staging for 2h --another --name "${name}"`);
      return exclusionId;
    };
    /** The exclusions that can be ended from their menu. */
    const endable = ({ blocks }: OpenView) =>
      blocks
        .flatMap(({ accessory }) => (isJsonObject(accessory) ? objectsIn(accessory.options) : []))
        .flatMap(({ value }) =>
          String(value).startsWith("form:exclusion end:") ? [exclusionIdIn(String(value))] : [],
        );
    /** Everything behind "More…". */
    const more = ({ blocks }: OpenView) =>
      blocks
        .flatMap(({ elements }) => objectsIn(elements))
        .flatMap(({ option_groups }) => objectsIn(option_groups))
        .flatMap(({ options }) => objectsIn(options))
        .map(({ text, value }) => ({ label: plainText(text), value: String(value) }));
    const labels = (home: OpenView) => more(home).map(({ label }) => label);
    const choose = (who: string, value: string) => curfew().workspace.as(who).fill({ "menu:more": value }, "home");
    /** What a button of the Home tab shows. */
    const view = async (who: string, label: string) => {
      const person = curfew().workspace.as(who);
      await person.press(label, "home");
      const shown = await curfew().workspace.waitFor(() => person.openView(), { what: label });
      await person.cancel();
      return shown;
    };

    beforeEach(() => {
      // Nobody has their tab open any more.
      clock.advance(3_601_000);
    });

    it("the Home tab offers an engineer exactly what engineers may do", async () => {
      const home = await open("alice");
      expect(buttons(home).slice(0, 2)).toEqual(["Keep something running", "Find…"]);
      expect(labels(home)).toEqual(expect.arrayContaining(["Status", "Keep longer", "Stop keeping", "History"]));
      expect(labels(home)).not.toContain("Disable user");
      expect(labels(home)).not.toContain("Rename project");
      expect(labels(await open("carol"))).toEqual(expect.arrayContaining(["Keep longer", "Disable user"]));
    });

    it("the Home tab has its parts in order, says in its last line what is empty, and has the rest behind buttons", async () => {
      const mine = await exclude("alice", "in order");
      const home = await open("alice");
      const places = ["*Yours*", "*Stops next*"].map((part) => home.text.indexOf(part));
      expect(Math.min(...places)).toBeGreaterThan(0);
      expect(places).toEqual([...places].sort((one, other) => one - other));
      expect(home.text).toMatch(/Nothing waits for your approval\. As of .* Curfew \d+\.\d+\.\d+ \(unknown\)\.$/);
      expect(buttons(home).slice(-3)).toEqual(["The team's", "Next 24 hours", "Lately"]);
      await ask(curfew(), "alice", `exclusion end ${mine}`);
    });

    it("the Home tab has one line for each thing, with at most one button, and is half as high as it was", async () => {
      const ids = await Promise.all([exclude("alice", "one"), exclude("alice", "two")]);
      await exclude("carol", "other");
      const { blocks } = await open("alice");
      const rows = blocks.filter(({ type }) => type === "section");
      expect(rows.every(({ accessory }) => accessory !== undefined)).toBe(true);
      // It had 24 blocks with the same content.
      expect(blocks.length).toBeLessThanOrEqual(12);
      for (const id of ids) await ask(curfew(), "alice", `exclusion end ${id}`);
    });

    it.each([
      ["gina", "Only full members of this workspace can use Curfew: ask one."],
      ["erin", "Only full members of this workspace can use Curfew: ask one."],
      ["dave", "You may not use Curfew: nobody has given you a role."],
    ])("the Home tab shows %s only that they may not use Curfew", async (who, words) => {
      const home = await open(who);
      expect(home.blocks).toHaveLength(1);
      expect(home.text.toLowerCase()).toContain(words.toLowerCase());
    });

    it("the Home tab opens every form that it offers", async () => {
      const carol = curfew().workspace.as("carol");
      const forms = more(await open("carol")).filter(({ value }) => value.startsWith("form:"));
      expect(forms.length).toBeGreaterThan(5);
      for (const { label, value } of forms) {
        await choose("carol", label);
        const form = await curfew().workspace.waitFor(() => carol.openView(), { what: value });
        expect(form.fields.length, value).toBeGreaterThan(0);
        await carol.cancel();
      }
    });

    it("the Home tab shows one's own exclusions, time left and permitted buttons, and the team's behind a button", async () => {
      const mine = await exclude("alice", "alice's demo");
      const other = await exclude("carol", "carol's demo");
      const home = await open("alice");
      expect(home.text).toMatch(/alice's demo.*\((?:2 h|1 h 59 min) left\)/);
      expect(home.text).not.toContain("carol's demo");
      expect(endable(home)).toContain(mine);
      const team = await view("alice", "The team's");
      expect(team.text).toContain("carol's demo");
      expect(team.text).not.toContain("alice's demo");
      expect(endable(team)).not.toContain(other);
      await open("carol");
      expect(endable(await view("carol", "The team's"))).toContain(mine);
    });

    it("the Home tab shows what stops next of what its reader may keep running, soonest first", async () => {
      const home = await open("alice");
      const [, stops = ""] = home.text.split("*Stops next*");
      const at = [...stops.matchAll(/:alarm_clock: .*?<!date\^(\d+)/g)].map(([, seconds]) => Number(seconds));
      expect(at.length).toBeGreaterThan(0);
      expect(at).toEqual([...at].sort((one, other) => one - other));
      expect(home.text).not.toContain("Production");
      expect((await view("alice", "Next 24 hours")).text).toContain(":alarm_clock:");
    });

    it("the Home tab omits the next stops while the service is unreachable", async () => {
      curfew().service.faults.next({ kind: "status", status: 500, operation: "ListActions", times: 20 });
      // The list is cached for ten seconds, so the clock must advance.
      clock.advance(11_000);
      const home = await open("alice");
      expect(home.text).toContain("Curfew could not load the next runs.");
      expect(home.text).toMatch(/\*Yours\*|You keep nothing running\./);
      expect(buttons(home)).toContain("Keep something running");
      curfew().service.faults.clear();
      expect((await open("alice")).text).toContain("*Stops next*");
    });

    it("the Home tab extends by one click, once, and ends by a form, and reports by direct message", async () => {
      const id = await exclude("alice", "to be ended");
      await open("alice");
      const sent = changesSentTo(curfew());
      const alice = curfew().workspace.as("alice");
      const from = Date.parse(curfew().service.account.exclusions.get(id)?.expiryDate ?? "");
      const anHour = JSON.stringify({ exclusion: id, until: { forMs: 3_600_000, from } });
      await alice.press("Extend 1 h", "home", { value: `run:exclusion extend:${anHour}`, times: 3 });
      await homeOf("alice", ({ text }) => /to be ended\*.*\((?:3 h|2 h 59 min) left\)/.test(text));
      await alice.press("End now…", "home", { value: `form:exclusion end:${JSON.stringify({ exclusion: id })}` });
      await curfew().workspace.waitFor(() => alice.openView(), { what: "the form" });
      await alice.submit();
      const home = await homeOf("alice", (shown) => !endable(shown).includes(id));
      expect(home.text).not.toContain("to be ended");
      const notices = () => alice.messages("dm").map(textOf);
      for (const outcome of ["(“to be ended”): now until", "You stopped keeping "])
        await curfew().workspace.waitFor(() => notices().some((text) => text.includes(outcome)), { what: outcome });
      expect(sent()).toEqual(["ModifyActionExclusion", "DeleteActionExclusion"]);
    });

    it("the Home tab leads to the latest changes, to undo one", async () => {
      const { changeId } = await ask(curfew(), "carol", "project rename p-dev Workshop");
      await open("carol");
      const carol = curfew().workspace.as("carol");
      await carol.press("Lately", "home");
      await curfew().workspace.waitFor(() => carol.openView()?.text.includes("Workshop"));
      const value = `run:undo:${JSON.stringify({ change: changeId })}`;
      const { text } = await messagesAfter(curfew(), "carol", () => carol.press("Undo", "view", { value }), "dm");
      expect(text).toContain("You renamed project");
      expect(curfew().service.account.projects.get("p-dev")?.name).not.toBe("Workshop");
    });

    it("the Home tab opens a form that reports by direct message, and then updates", async () => {
      await open("alice");
      const alice = curfew().workspace.as("alice");
      await alice.press("Keep something running", "home");
      const form = await curfew().workspace.waitFor(() => alice.openView());
      expect(form.values.Until?.selected_date_time, "the usual end is filled in").not.toBeNull();
      const { text, message } = await send(curfew(), "alice", {
        What: "i-0c1",
        "Resource type": "amazon-ec2-instance",
        Project: "p-dev",
        Name: "from home",
      });
      expect(text).toContain("Keeping i-0c1");
      expect(message.ephemeralTo).toBeUndefined();
      await homeOf("alice", (home) => home.text.includes("*from home*"));
    });

    it("the Home tab updates after another person's change for recent viewers only", async () => {
      const { hash } = await open("alice");
      const before = curfew().workspace.as("bob").home()?.hash;
      await exclude("carol", "carol's surprise");
      await homeOf("alice", (home) => home.hash !== hash);
      await curfew().app.idle();
      expect(curfew().workspace.as("bob").home()?.hash).toBe(before);
    });

    it("the Home tab explains why an outdated button did nothing, and updates", async () => {
      const id = await exclude("alice", "outdated");
      await open("alice");
      await curfew().app.idle();
      const stale = await homeOf("alice");
      curfew().workspace.faults.failNext("views.publish", { error: "internal_error" });
      await ask(curfew(), "alice", `exclusion end ${id}`);
      await curfew().app.idle();
      expect((await homeOf("alice")).hash).toBe(stale.hash);
      const alice = curfew().workspace.as("alice");
      const entries = stale.blocks.flatMap(({ accessory }) =>
        isJsonObject(accessory) ? objectsIn(accessory.options) : [],
      );
      const value = entries
        .map((entry) => String(entry.value))
        .find((each) => each.startsWith(`run:exclusion extend:{"exclusion":"${id}"`));
      const press = () => alice.press("Extend 1 h", "home", { value: String(value) });
      const { text } = await messagesAfter(curfew(), "alice", press, "dm");
      expect(text).toMatch(/ended/);
      await homeOf("alice", ({ hash }) => hash !== stale.hash);
    });

    it("the Home tab shows an error when Slack does not say who the viewer is", async () => {
      clock.advance(31_000);
      curfew().workspace.faults.failNext("users.info", { error: "internal_error" });
      expect((await open("alice")).text).toContain("Curfew could not load this tab");
      expect((await open("alice")).text).toContain("As of ");
    });

    it("the Home tab is not published for the Messages tab", async () => {
      await open("alice");
      await curfew().app.idle();
      const published = () => curfew().workspace.calls.filter(({ method }) => method === "views.publish").length;
      const before = published();
      const [event] = curfew().workspace.appRequests.filter(({ kind }) => kind === "event");
      if (event === undefined) throw new Error("No event was delivered yet.");
      const payload = JSON.parse(JSON.stringify(event.payload).replace('"tab":"home"', '"tab":"messages"'));
      expect(await curfew().workspace.redeliver({ ...event, payload })).toEqual({ ok: true });
      await curfew().app.idle();
      expect(published()).toBe(before);
    });
  },
  { config },
);
