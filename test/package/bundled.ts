export { createSimulator } from 'tasksim'
export { handlers } from 'tasksim/msw'
