import { count } from '../model/format.js'
import { Button } from './button.js'

/** Says how many items the filters show, and clears them. */
export function ClearFilters({ shown, onClear }: { readonly shown: number; readonly onClear: () => void }) {
  return (
    <Button variant="quiet" icon="close" onPress={onClear}>
      {count(shown)} shown, clear filters
    </Button>
  )
}
