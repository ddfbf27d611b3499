import type { Locator } from "playwright-core";

/** What is put in, by label: text; the name of an option; of a choice among ticks, one or several. */
export type Entries = Readonly<Record<string, string | readonly string[]>>;

/** Fills in an open form as a person does, whatever kind of input each label stands on. */
export async function fillIn(form: Locator, entries: Entries): Promise<void> {
  for (const [label, entry] of Object.entries(entries)) {
    const control = labelled(form, label).or(labelled(form, `${label} (optional)`));
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

function labelled(form: Locator, label: string): Locator {
  return form.getByLabel(label, { exact: true });
}

/** Of `bob (u-00000001)`, the name. */
function searchedFor(option: string): string {
  return option.split(" (")[0] ?? option;
}
