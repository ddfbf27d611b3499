import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { describeInBrowser, type OpenPage } from "../support/browser.ts";
import { builtPage } from "../support/built.ts";
import { type RunningPage, startPage } from "./start-page.ts";

const findFaults = readFileSync("test/page/layout-faults.js", "utf8").replace(/;\s*$/, "");
/** A phone, a window that the panel covers in part, the narrowest with the panel at its side, and a wide one. */
const sizes = [
  { width: 360, height: 640 },
  { width: 1024, height: 768 },
  { width: 1200, height: 800 },
  { width: 1440, height: 900 },
] as const;
const [phone, , , desk] = sizes;
const longName = `Nightly-run-of-the-${"very".repeat(30)}-long-name`;

await describeInBrowser(
  "on a phone and in windows of any width, in light and dark, nothing is clipped, overlapping or faint:",
  (browser) => {
    let sandbox: RunningPage;
    let opened: OpenPage;
    beforeAll(async () => {
      sandbox = await startPage(builtPage());
      opened = await browser.open(sandbox.url, { reducedMotion: "reduce" });
    });
    afterEach(async () => {
      for (const who of ["alice", "bob", "carol"]) {
        const person = sandbox.curfew.workspace.as(who);
        if (person.openView()) await person.cancel();
      }
    });
    afterAll(async () => {
      await opened.close();
      await sandbox.stop();
    });

    const go = async (who: string, where: string) => {
      await opened.page.setViewportSize(desk);
      await opened.page.goto(`${sandbox.url}/#${who}/${where}`);
    };
    const type = (who: string, text: string) =>
      sandbox.act(who, { kind: "type", text: `/curfew ${text}`, where: "ops" });
    /** Checks the visible content of the element with this CSS selector. */
    const faultsIn = (shown: string) =>
      opened.page.evaluate<readonly string[]>(`(${findFaults})(document.querySelector("${shown}"))`);
    const expectNoFaults = async (shown: "main" | "dialog" | ".panel") => {
      const { page } = opened;
      const found: string[] = [];
      for (const size of sizes) {
        await page.setViewportSize(size);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          const faults = await faultsIn(shown);
          found.push(...faults.map((fault) => `${size.width}, ${colorScheme}: ${fault}`));
        }
      }
      expect(found).toEqual([]);
    };
    const formAfter = async (line: string, who = "alice") => {
      await go(who, "ops");
      await type(who, line);
      const form = opened.page.getByRole("dialog");
      await form.waitFor();
      return form;
    };
    const closeForm = async () => {
      await opened.page.keyboard.press("Escape");
      await opened.page.getByRole("dialog").waitFor({ state: "hidden" });
    };

    test("the check finds faults", async () => {
      await go("alice", "random");
      await opened.page.getByText("No messages yet.").waitFor();
      await opened.page.evaluate(`{
        const [heading, remark] = document.querySelectorAll("main header > h1, main header > p");
        heading.style.marginRight = "-3rem";
        remark.style.color = "gray";
        remark.style.width = "2em";
        document.querySelector(".composer").style.width = "2000px";
      }`);
      const faults = await faultsIn("main");
      for (const fault of [
        "overlapping: h1",
        "too faint: p",
        "beyond the screen: textarea",
        "clipped: ",
        "broken in the middle: “members”",
      ])
        expect(faults.join("\n")).toContain(fault);
      await opened.page.reload();
    });

    test("an exclusion's card, its answer, a refusal and the lines to try", async () => {
      await go("alice", "ops");
      await type(
        "alice",
        `exclude i-0a1 i-0a2 for 2h --another --name ${longName} --reason "${longName} ${"because ".repeat(15)}"`,
      );
      const { page } = opened;
      await page.getByText("@alice is keeping staging running").waitFor();
      await type("alice", "user disable bob");
      await page.getByRole("main").getByText("You can't change a user").first().waitFor();
      await expectNoFaults("main");
    });

    test("a question, and the readings of an unclear line", async () => {
      await go("carol", "ops");
      await type("carol", "exclude staging tomorrow");
      await type("carol", "exclude stagng for 2h");
      const { page } = opened;
      await page.getByText("Nothing was changed").first().waitFor();
      await page.getByRole("button", { name: "staging", exact: true }).waitFor();
      await expectNoFaults("main");
    });

    test("a card in its thread, next to the panel", async () => {
      await go("alice", "ops");
      await type("carol", "exclude staging for 3h --another");
      const { page } = opened;
      const card = page.getByRole("article").filter({ hasText: "@carol is keeping staging" }).first();
      await card.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Reply in thread" }).click();
      await page.getByRole("complementary", { name: "Thread" }).getByText("@carol is keeping staging").waitFor();
      await page.getByRole("complementary", { name: "Behind the scenes" }).waitFor();
      await expectNoFaults("main");
      await page.setViewportSize(desk);
      await page.getByRole("button", { name: "Close the thread" }).click();
    });

    test("the menu of a card, after one button and after three", async () => {
      await go("carol", "ops");
      const { page } = opened;
      const list = page.getByRole("log", { name: "Messages in #ops" });
      await type("carol", "user enable dave");
      await type("carol", "exclude i-0a7 for 1h");
      for (const size of sizes) {
        await page.setViewportSize(size);
        for (const said of ["@carol enabled dave", "@carol is keeping i-0a7 running"]) {
          const card = list.getByRole("article").filter({ hasText: said }).last();
          await card.getByRole("button", { name: "More choices" }).press("Enter");
          const menu = page.getByRole("menu");
          await menu.getByRole("menuitem", { name: "Details" }).waitFor();
          const [frame, shown] = [await list.boundingBox(), await menu.boundingBox()];
          if (frame === null || shown === null) throw new Error("The list or its menu is not visible.");
          const outside = Math.max(
            frame.x - shown.x,
            frame.y - shown.y,
            shown.x + shown.width - frame.x - frame.width,
            shown.y + shown.height - frame.y - frame.height,
          );
          expect(outside).toBeLessThan(1);
          expect(await faultsIn(".menu")).toEqual([]);
          await page.keyboard.press("Escape");
        }
      }
      await page.setViewportSize(desk);
    });

    test("the top buttons under the pointer", async () => {
      const { page } = opened;
      for (const size of sizes) {
        await page.setViewportSize(size);
        for (const button of await page.getByRole("banner").getByRole("button").all()) {
          await button.hover();
          expect(await faultsIn(".top-bar")).toEqual([]);
        }
      }
    });

    test("the top row of a phone, also when the clock is ahead", async () => {
      const { page } = opened;
      await go("alice", "ops");
      await sandbox.panel({ kind: "clock", to: sandbox.sandbox.clock.now() + 60_000 });
      await page.setViewportSize(phone);
      const top = page.getByRole("banner");
      await top.getByText("⏩").or(top.locator(".ahead")).first().waitFor();
      const row = await Promise.all(
        ["Conversations", "Behind the scenes"].map((name) => top.getByRole("button", { name }).boundingBox()),
      );
      expect(new Set(row.map((box) => box && [box.y, box.height].join())).size).toBe(1);
      expect((await top.boundingBox())?.height).toBeLessThan(80);
      expect(await top.getByLabel("Act as").locator(":checked").innerText()).toBe("Alice Engineer");
      expect(await faultsIn(".top-bar")).toEqual([]);
    });

    test("new messages, announced in a row of their own", async () => {
      const { page } = opened;
      await go("alice", "ops");
      await page.setViewportSize(phone);
      const list = page.getByRole("log", { name: "Messages in #ops" });
      await list.evaluate((each) => each.scrollTo(0, 0));
      await sandbox.act("carol", { kind: "type", text: "hello", where: "ops" });
      const newer = page.getByRole("button", { name: "New messages" });
      await newer.waitFor();
      const [above, below] = [await list.boundingBox(), await newer.boundingBox()];
      expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
      expect(await faultsIn("main")).toEqual([]);
    });

    test("the preset times of the exclusion form on a phone, before any scrolling, and its suggestions", async () => {
      const { page } = opened;
      const form = await formAfter("exclude");
      await page.setViewportSize(phone);
      const frame = await form.locator(".view-body").boundingBox();
      const presets = await form.locator(".block-actions").first().getByRole("button").all();
      expect(presets.length).toBeGreaterThan(2);
      for (const preset of presets) {
        const box = await preset.boundingBox();
        expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0));
      }
      await form.getByRole("combobox", { name: "Or choose" }).fill("staging");
      await form.getByRole("option", { name: "Stop staging at the weekend" }).waitFor();
      const heights = await form
        .getByRole("option")
        .evaluateAll((each) => each.map(({ clientHeight }) => clientHeight));
      expect(new Set(heights).size).toBe(1);
      await form.getByRole("option").first().click();
      expect(await form.getByRole("combobox", { name: "Or choose" }).getAttribute("placeholder")).toBe("");
      expect(await faultsIn("dialog")).toEqual([]);
      await closeForm();
    });

    test("messages at 200% zoom", async () => {
      await go("alice", "ops");
      const { page } = opened;
      await page.setViewportSize({ width: 640, height: 400 });
      await page.getByRole("region", { name: "Lines to try" }).waitFor();
      const list = await page.getByRole("log", { name: "Messages in #ops" }).boundingBox();
      expect(list?.height).toBeGreaterThan(100);
      expect(await faultsIn("main")).toEqual([]);
    });

    test.each([
      ["a wide window is next to", 1200, "beside"],
      ["a narrow window covers", 1199, "above"],
      ["a phone in landscape covers", 844, "above"],
    ] as const)("the panel in %s the workspace, at full height", async (_, width, place) => {
      await go("alice", "ops");
      const { page } = opened;
      const panel = page.getByRole("complementary", { name: "Behind the scenes" });
      await panel.waitFor();
      await page.setViewportSize({ width, height: 640 });
      const [main, beside] = [await page.getByRole("main").boundingBox(), await panel.boundingBox()];
      if (main === null || beside === null) throw new Error("The page or its panel is not visible.");
      expect([beside.y, beside.height]).toEqual([main.y, main.height]);
      expect(beside.y + beside.height).toBe(640);
      expect(beside.x + beside.width).toBe(width);
      expect(place === "beside" ? beside.x : main.x + main.width).toBe(
        place === "beside" ? main.x + main.width : width,
      );
      expect(await faultsIn(".panel")).toEqual([]);
    });

    test.each([360, 420])(
      "the panel on a phone %i wide is below the conversation and covers nothing",
      async (width) => {
        await go("alice", "ops");
        const { page } = opened;
        const panel = page.getByRole("complementary", { name: "Behind the scenes" });
        await page.setViewportSize({ width, height: 740 });
        const [main, below] = [await page.getByRole("main").boundingBox(), await panel.boundingBox()];
        expect(below).toEqual({ x: 0, y: (main?.y ?? 0) + (main?.height ?? 0), width, height: 740 - (below?.y ?? 0) });
        expect(main?.height).toBeGreaterThan(350);
        expect([await faultsIn("main"), await faultsIn(".panel")]).toEqual([[], []]);
      },
    );

    test("a card that waits for approval, and its thread", async () => {
      const form = await formAfter("user remove-mfa alice google-auth", "bob");
      await form.getByRole("button", { name: "Remove MFA" }).click();
      await form.waitFor({ state: "hidden" });
      await go("carol", "security");
      const card = opened.page.getByRole("article").filter({ hasText: "remove the MFA of alice" }).first();
      await card.getByRole("button", { name: "Approve", exact: true }).waitFor();
      await expectNoFaults("main");
    });

    test("the exclusion form with an error", async () => {
      const form = await formAfter("exclude");
      await form.getByRole("button", { name: "Keep running" }).click();
      await form.getByText("Please complete this required field.").waitFor();
      await expectNoFaults("dialog");
      await form.getByLabel("What").fill("staging");
      await form.getByText("staging: 2 EC2 instances").waitFor();
      await form.getByRole("button", { name: "More…" }).click();
      await form.getByRole("combobox", { name: "Project" }).waitFor();
      await expectNoFaults("dialog");
      await closeForm();
    });

    test("the longest forms, of a plan and of a selector", async () => {
      await formAfter("plan create", "carol");
      await expectNoFaults("dialog");
      await closeForm();
      const form = await formAfter("selector edit plan-00000001 sel-00000001", "carol");
      await form.getByLabel("Tags").waitFor();
      await expectNoFaults("dialog");
      await closeForm();
    });

    test("a confirmation dialog", async () => {
      await type("alice", "exclude i-0a3 for 2h --project p-dev --type amazon-ec2-instance");
      await go("alice", "ops");
      await opened.page.getByRole("button", { name: "End now" }).last().click();
      await expectNoFaults("dialog");
      await closeForm();
    });

    test("the Home tab and the help", async () => {
      await go("carol", "dm");
      await opened.page.getByRole("button", { name: "Next 24 hours" }).waitFor();
      await expectNoFaults("main");
      await go("carol", "ops");
      await type("carol", "help");
      await opened.page.getByText("Skip one run, or hear of it before").waitFor();
      await expectNoFaults("main");
    });

    test.each(["Activity", "Service", "Time and faults"])("the %s tab of the panel", async (name) => {
      const { page } = opened;
      const panel = page.getByRole("complementary", { name: "Behind the scenes" });
      await page.setViewportSize(desk);
      await go("alice", "ops");
      await panel.getByRole("tab", { name }).click();
      await expectNoFaults(".panel");
    });
  },
);
