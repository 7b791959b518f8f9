const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/

/** Whether a normalized host name always refers to this machine, so that DNS rebinding cannot use it. */
export function isLoopbackName(name: string): boolean {
  return LOOPBACK.test(name)
}
