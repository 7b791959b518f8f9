import type { Post, Transport } from '../../src/index.js'

/** Keeps every POST that it is given, and answers it as told. */
export function recorder(answer: (post: Post, count: number) => number | Promise<number> = () => 200) {
  const posts: (Post & { readonly text: string })[] = []
  const transport: Transport = async (post) => {
    posts.push({ ...post, text: new TextDecoder().decode(post.body) })
    return { status: await answer(post, posts.length) }
  }
  return { posts, transport }
}

/** Never answers; gives up when the attempt is aborted, as fetch does: not at once. */
export function neverAnswers({ signal }: Post): Promise<number> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => setImmediate(() => reject(signal.reason)), { once: true })
  })
}
