/** The number of unseen messages. */
export function Count({ count }: { readonly count: number }) {
  return (
    <span class="count">
      {count}
      <span class="for-readers"> new</span>
    </span>
  );
}
