"""A second implementation of SPEC, written apart from the model, and faulty copies of it.

Nothing here imports contextcert, and nothing in contextcert imports this: the two are judged
against each other. `zoo.subject` is correct; every entry of `zoo.registry.FAULTS` differs from
it in one place.
"""
