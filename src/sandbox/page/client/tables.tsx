import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { PanelTable } from "../wire.ts";

/** One table of the service's data. Highlights the rows that the latest update added or changed. */
export function Tables({ tables }: { readonly tables: readonly PanelTable[] }) {
  const [name, setName] = useState(tables[0]?.name ?? "");
  const id = useId();
  const changed = useChangedRows(tables);
  const table = tables.find((each) => each.name === name);
  return (
    <>
      <label class="label" for={id}>
        Show
      </label>
      <select id={id} value={name} onChange={(event) => setName(event.currentTarget.value)}>
        {tables.map((each) => (
          <option key={each.name} value={each.name}>
            {each.name} ({each.rows.length})
          </option>
        ))}
      </select>
      <ul class="things" aria-label={name}>
        {table?.rows.map((row) => (
          <Item key={row.id} row={row} columns={table.columns} isChanged={changed.has(`${name} ${row.id}`)} />
        ))}
      </ul>
    </>
  );
}

interface ItemProps {
  readonly row: PanelTable["rows"][number];
  readonly columns: readonly string[];
  readonly isChanged: boolean;
}

function Item({ row: { id, cells, isFaded, details }, columns, isChanged }: ItemProps) {
  const [title, ...facts] = cells;
  return (
    <li class={[isFaded ? "faded" : "", isChanged ? "changed" : ""].join(" ")}>
      <p>
        <strong>{title}</strong> <code>{id}</code>
      </p>
      <dl>
        {facts.map((fact, index) => (
          <div key={columns[index + 1]}>
            <dt>{columns[index + 1]}</dt>
            <dd>{fact || "none"}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>All fields</summary>
        <pre>{details}</pre>
      </details>
    </li>
  );
}

function useChangedRows(tables: readonly PanelTable[]): ReadonlySet<string> {
  const before = useRef<ReadonlyMap<string, string> | undefined>();
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const contents = tables.flatMap(({ name, rows }) =>
      rows.map(({ id, cells, details }) => [`${name} ${id}`, details + cells.join()] as const),
    );
    const previous = before.current;
    if (previous)
      setChanged(new Set(contents.filter(([key, content]) => previous.get(key) !== content).map(([key]) => key)));
    before.current = new Map(contents);
  }, [tables]);
  return changed;
}
