import type { Post, Transport } from '../../src/index.js'

/** Records every POST, and answers with the given status. */
export function recorder(answer: (post: Post, count: number) => number | Promise<number> = () => 200) {
  const posts: (Post & { readonly text: string })[] = []
  const transport: Transport = async (post) => {
    posts.push({ ...post, text: new TextDecoder().decode(post.body) })
    return { status: await answer(post, posts.length) }
  }
  return { posts, transport }
}

/** Never answers. Rejects some time after the attempt is aborted, as fetch does. */
export function neverAnswers({ signal }: Post): Promise<number> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => setImmediate(() => reject(signal.reason)), { once: true })
  })
}
