"""`python -m contextcert`."""

from contextcert.cli import main

if __name__ == "__main__":
    main()
