import { beforeEach, expect, it } from "vitest";
import type { OpenView } from "../../src/sandbox/workspace/driver/open-view.ts";
import { objectsIn } from "../../src/sandbox/workspace/json-object.ts";
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
    const press = (who: string, label: string, value: object, times = 1) =>
      messagesAfter(
        curfew(),
        who,
        () =>
          curfew()
            .workspace.as(who)
            .press(label, "home", { value: JSON.stringify(value), times }),
        "dm",
      );
    /** The exclusions that have an End button. */
    const endable = ({ blocks }: OpenView) =>
      blocks
        .flatMap(({ elements }) => objectsIn(elements))
        .flatMap(({ action_id, value }) =>
          action_id === "run:exclusion end:end now" ? [exclusionIdIn(String(value))] : [],
        );
    const runsIn = ({ text }: OpenView) => text.match(/Next run: /g)?.length ?? 0;

    beforeEach(() => {
      // Nobody has their tab open any more.
      clock.advance(3_601_000);
    });

    it("the Home tab offers an engineer exactly what engineers may do", async () => {
      const home = await open("alice");
      expect(buttons(home)).toEqual(expect.arrayContaining(["New exclusion", "Extend exclusion", "End exclusion"]));
      expect(buttons(home)).not.toContain("Disable user");
      expect(buttons(home)).not.toContain("Rename project");
      expect(buttons(await open("carol"))).toEqual(expect.arrayContaining(["New exclusion", "Disable user"]));
    });

    it("the Home tab offers nothing for a role in one channel only, and names the channel", async () => {
      const home = await open("bob");
      expect(buttons(home)).toEqual([]);
      expect(home.text).toContain("Some of your rights hold only in <#C0SEC>");
      expect(home.text).not.toContain("Next runs");
    });

    it.each([
      ["gina", "You are a guest here. Only full members of this workspace can use Curfew."],
      ["erin", "You are from another organization. Only full members of this workspace can use Curfew."],
      ["dave", "You may not use Curfew: nobody has given you a role."],
    ])("the Home tab shows %s only that they may not use Curfew", async (who, words) => {
      const home = await open(who);
      expect(home.blocks).toHaveLength(1);
      expect(home.text.toLowerCase()).toContain(words.toLowerCase());
    });

    it("the Home tab opens every form that it offers", async () => {
      const carol = curfew().workspace.as("carol");
      await open("carol");
      const forms = (await homeOf("carol")).blocks.flatMap(({ elements }) => (Array.isArray(elements) ? elements : []));
      const ids = forms.map(({ action_id }) => String(action_id)).filter((id) => id.startsWith("form:"));
      expect(ids.length).toBeGreaterThan(5);
      for (const actionId of ids.filter((id) => !/:(?:extend…|keep running)$/.test(id))) {
        const label = buttonsOn({ blocks: [{ elements: forms.filter(({ action_id }) => action_id === actionId) }] })[0];
        expect(await carol.press(label ?? "", "home", { actionId })).toEqual({ ok: true });
        const form = await curfew().workspace.waitFor(() => carol.openView(), { what: actionId });
        expect(form.fields.length, actionId).toBeGreaterThan(0);
        await carol.cancel();
      }
    });

    it("the Home tab shows one's own and the team's exclusions, time left and permitted buttons", async () => {
      const mine = await exclude("alice", "alice's demo");
      const other = await exclude("carol", "carol's demo");
      const home = await open("alice");
      const [own = "", team = ""] = home.text.split("*The team's exclusions*");
      expect(own).toContain("alice's demo");
      expect(own).toMatch(/Left: (?:2 h|1 h 59 min)/);
      expect(team).toContain("carol's demo");
      expect(endable(home)).toContain(mine);
      expect(endable(home)).not.toContain(other);
      expect(endable(await open("carol"))).toEqual(expect.arrayContaining([mine, other]));
    });

    it("the Home tab shows the next runs of visible projects, soonest first", async () => {
      const home = await open("alice");
      const at = [...home.text.matchAll(/Next run: <!date\^(\d+)/g)].map(([, seconds]) => Number(seconds));
      expect(at).toHaveLength(5);
      expect(at).toEqual([...at].sort((one, other) => one - other));
      expect(home.text).not.toContain("p-prod");
    });

    it("the Home tab omits the next runs while the service is unreachable", async () => {
      curfew().service.faults.next({ kind: "status", status: 500, operation: "ListActions", times: 20 });
      // The list is cached for ten seconds, so the clock must advance.
      clock.advance(11_000);
      const home = await open("alice");
      expect(home.text).toContain("Curfew could not load the next runs.");
      expect(home.text).toContain("Your exclusions");
      expect(buttons(home)).toContain("New exclusion");
      curfew().service.faults.clear();
      expect(runsIn(await open("alice"))).toBe(5);
    });

    it("the Home tab has an End button that works once and reports by direct message", async () => {
      const id = await exclude("alice", "to be ended");
      await open("alice");
      const sent = changesSentTo(curfew());
      await press("alice", "End now", { exclusion: id }, 3);
      const home = await homeOf("alice", (shown) => !endable(shown).includes(id));
      expect(home.text).toContain("alice ended exclusion to be ended");
      const notices = () => curfew().workspace.as("alice").messages("dm").map(textOf);
      await curfew().workspace.waitFor(() =>
        notices().some((text) => text.includes("You ended exclusion to be ended")),
      );
      expect(sent()).toEqual(["DeleteActionExclusion"]);
    });

    it("the Home tab has an Undo button that reverts one's own change and then disappears", async () => {
      const { changeId } = await ask(curfew(), "carol", "project rename p-dev Workshop");
      await open("carol");
      const { text } = await press("carol", "Undo", { change: changeId });
      expect(text).toContain("You renamed project");
      expect(curfew().service.account.projects.get("p-dev")?.name).not.toBe("Workshop");
      const home = await homeOf(
        "carol",
        ({ blocks }) => !JSON.stringify(blocks).includes(`{\\"change\\":\\"${changeId}`),
      );
      expect(home.text).toContain("Your latest changes");
    });

    it("the Home tab opens a form that reports by direct message, and then updates", async () => {
      await open("alice");
      const alice = curfew().workspace.as("alice");
      await alice.press("New exclusion", "home", { actionId: "form:exclusion create:new exclusion" });
      const form = await curfew().workspace.waitFor(() => alice.openView());
      expect(form.values.Until?.selected_date_time, "the usual end is filled in").not.toBeNull();
      const { text, message } = await send(curfew(), "alice", {
        "Resource ids": "i-0c1",
        "Resource type": "amazon-ec2-instance",
        Project: "p-dev",
        Name: "from home",
      });
      expect(text).toContain("You excluded i-0c1");
      expect(message.ephemeralTo).toBeUndefined();
      await homeOf("alice", (home) => home.text.includes("*from home*"));
    });

    it("the Home tab updates after another person's change for recent viewers only", async () => {
      await open("alice");
      await exclude("carol", "carol's surprise");
      const before = curfew().workspace.as("bob").home()?.hash;
      await homeOf("alice", ({ text }) => text.includes("carol's surprise"));
      await curfew().app.idle();
      expect(curfew().workspace.as("bob").home()?.hash).toBe(before);
    });

    it("the Home tab explains why an outdated button did nothing, and updates", async () => {
      const { changeId } = await ask(curfew(), "carol", "project rename p-prod Factory");
      await open("carol");
      await curfew().app.idle();
      const stale = await homeOf("carol");
      curfew().workspace.faults.failNext("views.publish", { error: "internal_error" });
      await ask(curfew(), "carol", `undo ${changeId}`);
      await curfew().app.idle();
      expect((await homeOf("carol")).hash).toBe(stale.hash);
      const { text } = await press("carol", "Undo", { change: changeId });
      expect(text).toContain("cannot be undone");
      await homeOf("carol", ({ hash }) => hash !== stale.hash);
    });

    it("the Home tab shows an error when Slack does not say who the viewer is", async () => {
      clock.advance(31_000);
      curfew().workspace.faults.failNext("users.info", { error: "internal_error" });
      expect((await open("alice")).text).toContain("Curfew could not load this tab.");
      expect((await open("alice")).text).toContain("What you may do");
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
