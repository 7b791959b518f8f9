"""Creates three tasks with threads, and reports the number of those that have failed."""

from concurrent.futures import ThreadPoolExecutor

from service import Failure, collect, create, main, order_of, wait


def one(prompt, known):
    try:
        collect(wait(create(order_of(prompt), known)))
        return True
    except Failure:
        return False


def run():
    known = set()
    with ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda prompt: one(prompt, known), ["sea", "sun", "sky"]))
    if not all(results):
        raise Failure(f"{results.count(False)} tasks have failed.")


main(run)
