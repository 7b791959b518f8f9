import { count } from '../model/format.js'
import { Button } from './button.js'
import { Icon } from './icon.js'

/** A field for the text of a filter. The key `/` focuses it. */
export function SearchField({
  label,
  placeholder,
  value,
  onSearch,
}: {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onSearch: (text: string) => void
}) {
  return (
    <div class="search">
      <label>
        <Icon name="search" />
        <span class="visually-hidden">{label}</span>
        <input
          data-search
          type="search"
          placeholder={placeholder}
          value={value}
          onInput={({ currentTarget }) => onSearch(currentTarget.value)}
        />
      </label>
      <kbd>/</kbd>
    </div>
  )
}

/** Says how many items the filters show, and clears them. */
export function ClearFilters({ shown, onClear }: { readonly shown: number; readonly onClear: () => void }) {
  return (
    <Button variant="quiet" icon="close" onPress={onClear}>
      {count(shown)} shown, clear filters
    </Button>
  )
}
