import type { Locator } from "playwright-core";

/** The input by label: a text, the name of an option (with "…" only its beginning), or one or several choices. */
export type Entries = Readonly<Record<string, string | readonly string[]>>;

/** Fills in an open form like a person, for any kind of input. */
export async function fillIn(form: Locator, entries: Entries): Promise<void> {
  for (const [label, entry] of Object.entries(entries)) {
    const control = inputWithLabel(form, label).or(inputWithLabel(form, `${label} (optional)`));
    for (const each of [entry].flat()) await put(form, control, each);
  }
}

async function put(form: Locator, control: Locator, entry: string): Promise<void> {
  if ((await control.getAttribute("role")) === "combobox") {
    await control.fill(searchedFor(entry));
    const begins = entry.endsWith("…");
    await form.getByRole("option", { name: begins ? entry.slice(0, -1) : entry, exact: !begins }).click();
  } else if ((await control.and(form.getByRole("group")).count()) > 0) {
    await control.getByLabel(entry, { exact: true }).check();
  } else {
    await control.fill(entry);
  }
}

function inputWithLabel(form: Locator, label: string): Locator {
  return form.getByLabel(label, { exact: true });
}

/** The name in `bob (u-00000001)` and in `demo — until…`. */
function searchedFor(option: string): string {
  return option.split(/ (?:\(|— )/)[0] ?? option;
}
