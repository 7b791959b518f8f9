"""Creates a task, polls it, and downloads its files."""

from service import collect, create, main, order_of, wait

main(lambda: collect(wait(create(order_of("waves"), set()))))
