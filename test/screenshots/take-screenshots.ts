import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { buildBundle } from "../cli/bundle.ts";
import { fillIn } from "../page/fill-in.ts";
import { launchBrowser } from "../support/launch-browser.ts";

/** `npm run screenshots`: starts Curfew like `npm start`, uses it like a newcomer, and takes the documents' screenshots. */
const folder = "manifest/screenshots";
const width = 1000;

mkdirSync(folder, { recursive: true });
const bundle = buildBundle();
const browser = await launchBrowser();
try {
  const url = await bundle.start().sees(/^Open (\S+) in a browser/);
  const page = await browser.newPage({
    viewport: { width, height: 640 },
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  await page.goto(url);
  await page.getByRole("button", { name: "Dismiss the lines to try" }).click();
  await takeForm(page);
  await type(page, '/curfew exclude staging for 2h --reason "the demo is at eight"');
  await takeRefusal(page);
  await takeCard(page);
  await takeHome(page);
  await takeWarning(page);
} finally {
  await browser.close();
  await bundle.remove();
}

async function takeForm(page: Page): Promise<void> {
  await type(page, "/curfew exclude");
  const form = page.getByRole("dialog", { name: "Keep running" });
  const end = soon();
  await fillIn(form, {
    What: "staging",
    Why: "the demo is at eight",
    "Until: day": end.date,
    "Until: time, Europe/Berlin": end.time,
  });
  // Wait for the preview of the chosen end, not of the default one.
  await form
    .getByText(new RegExp(`before .*, ${end.time}|^Prevents|^Off now`))
    .first()
    .waitFor();
  await take(page, "form", 760);
  await form.getByRole("button", { name: "Cancel" }).click();
  await form.waitFor({ state: "hidden" });
}

async function takeRefusal(page: Page): Promise<void> {
  await page.getByText("@alice is keeping").waitFor();
  await type(page, "/curfew exclude i-0a1 for 30h");
  await page.getByRole("button", { name: /^Ask carol/ }).waitFor();
  await take(page, "refusal", 600);
}

async function takeCard(page: Page): Promise<void> {
  await page.getByLabel("Act as").selectOption("alice");
  const card = page.getByRole("article").filter({ hasText: "@alice is keeping staging running" });
  await card.getByRole("button", { name: "Extend…" }).click();
  const form = page.getByRole("dialog", { name: "Keep longer" });
  await form.getByRole("button", { name: "Extend", exact: true }).click();
  await form.waitFor({ state: "hidden" });
  // Carol sees the cards without alice's private answers.
  await page.getByLabel("Act as").selectOption("carol");
  await card.getByRole("button", { name: "1 reply" }).click();
  await page.getByRole("complementary", { name: "Thread" }).getByRole("article").nth(1).waitFor();
  await take(page, "card", 560);
}

async function takeHome(page: Page): Promise<void> {
  await page.getByLabel("Act as").selectOption("carol");
  await page.getByRole("link", { name: "Curfew" }).click();
  await page.getByRole("button", { name: "Next 24 hours" }).waitFor();
  await take(page, "home", 900);
}

/** Half an hour before staging stops. */
async function takeWarning(page: Page): Promise<void> {
  await page.getByRole("link", { name: /ops/ }).first().click();
  await page.getByRole("button", { name: "Behind the scenes" }).click();
  const panel = page.getByRole("complementary", { name: "Behind the scenes" });
  await panel.getByRole("tab", { name: "Time and faults" }).click();
  await panel.getByRole("listitem").filter({ hasText: "a warning that" }).getByRole("button").click();
  const warning = page.getByRole("article").filter({ hasText: "Stop staging at" }).last();
  await warning.getByRole("button", { name: "Tonight" }).waitFor();
  await page.getByRole("button", { name: "Behind the scenes" }).click();
  await take(page, "warning", 420);
}

/** Two weeks in which staging is kept up every night. Alice's machines, and one of Carol's. */
/** In alice's time zone; within the 24 hours she may request. */
function soon(): { readonly date: string; readonly time: string } {
  const at = new Date(Date.now() + 23 * 3_600_000);
  const [date = "", time = ""] = at.toLocaleString("sv-SE", { timeZone: "Europe/Berlin" }).split(" ");
  return { date, time: time.slice(0, 5) };
}

async function type(page: Page, line: string): Promise<void> {
  const composer = page.getByRole("combobox", { name: "Message #ops" });
  await composer.fill(line);
  await composer.press("Escape");
  await composer.press("Enter");
}

async function take(page: Page, name: string, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  // Elements scrolled before the window grew must start at the top again.
  await page.evaluate("document.activeElement?.blur(); document.querySelector('.view-body')?.scrollTo(0, 0)");
  await page.screenshot({ path: `${folder}/${name}.png`, animations: "disabled", caret: "hide" });
}
