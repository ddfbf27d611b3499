import type { Locator } from "playwright-core";

/** The input by label: a text, the name of an option, or one or several choices. */
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
    await form.getByRole("option", { name: entry, exact: true }).click();
  } else if ((await control.and(form.getByRole("group")).count()) > 0) {
    await control.getByLabel(entry, { exact: true }).check();
  } else {
    await control.fill(entry);
  }
}

function inputWithLabel(form: Locator, label: string): Locator {
  return form.getByLabel(label, { exact: true });
}

/** The name in `bob (u-00000001)`. */
function searchedFor(option: string): string {
  return option.split(" (")[0] ?? option;
}
