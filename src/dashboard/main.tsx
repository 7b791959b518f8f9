import { render } from 'preact'
import { moveTokenFromAddress } from './server/token.js'
import { startLiveUpdates } from './state/live.js'
import './styles/base.css'
import './styles/frame.css'
import './styles/parts.css'
import './styles/tasks.css'
import './styles/timeline.css'
import './styles/views.css'
import './styles/requests.css'
import './styles/clock.css'
import './styles/webhooks.css'
import './styles/export.css'
import './styles/overview.css'
import { Page } from './views/page.js'

moveTokenFromAddress()
startLiveUpdates()
const root = document.getElementById('app')
if (root !== null) render(<Page />, root)
