/** Below 29 values, the chance that all of them are below the 90th percentile is above 5 %: it has no 95 % interval. */
export const MIN_SAMPLES = 30
