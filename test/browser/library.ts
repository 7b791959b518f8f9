export * from 'tasksim'
export * from 'tasksim/msw'
